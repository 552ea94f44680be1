import { testClockSteps } from '../../test/testClockSteps.ts'

// `clockSteps.trial.ts` tests more steps and longer auctions, with the service's tolerance.
testClockSteps({ rounds: 1, steps: [3_600_000, -3_600_000], durationMs: 4_000, toleranceMs: 1_600 })
