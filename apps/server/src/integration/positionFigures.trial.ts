import { describePositionLives } from '../../../../packages/devnet/src/describePositionLives.testing.ts'
import { startPositionAudit } from '../testing/auditPositions.ts'

describePositionLives(Number(process.env['SEED'] ?? 1), 20 * Number(process.env['ROUNDS'] ?? 1), {
  startAudit: startPositionAudit,
})
