import { rounds } from '@firmquote/test-support/trial'
import { testClockSteps } from '../../test/testClockSteps.ts'

testClockSteps({
  rounds,
  steps: [5_000, -5_000, 3_600_000, -3_600_000, 86_400_000, -86_400_000],
  durationMs: 4_000,
  toleranceMs: 250,
})
