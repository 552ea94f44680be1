import { describePositionLives } from '../test/describePositionLives.ts'

// Takes a few seconds. `npm run trials` runs more lives with different seeds.
describePositionLives(2, 14)
