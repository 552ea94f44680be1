import { describePositionLives } from '../../../../packages/devnet/test/describePositionLives.ts'
import { startPositionAudit } from '../../test/auditPositions.ts'

// Takes a few seconds. `npm run trials` runs hundreds of position histories from other seeds.
describePositionLives(2, 4, {
  startAudit: startPositionAudit,
  mustReach: [
    'audit: an open position with a checkpoint',
    'settle: after the checkpoint',
    'settle: no interest',
    'settle: some interest',
    'withdraw: for another account',
  ],
})
