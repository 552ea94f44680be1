import { describePositionLives } from '../../../../packages/devnet/test/describePositionLives.ts'
import { startPositionAudit } from '../../test/auditPositions.ts'

describePositionLives(Number(process.env['SEED'] ?? 1), 20 * Number(process.env['ROUNDS'] ?? 1), {
  startAudit: startPositionAudit,
})
