import { describePositionLives } from '../test/describePositionLives.ts'

// A few seconds; `npm run trials` lives more of them, and others each time.
describePositionLives(2, 14)
