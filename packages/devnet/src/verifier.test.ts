import { describeVerifier } from '../test/describeVerifier.ts'

// Checks a thousand signatures. `npm run trials` runs more with different seeds.
describeVerifier(1, 27)
