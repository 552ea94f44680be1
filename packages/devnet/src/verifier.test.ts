import { describeVerifier } from '../test/describeVerifier.ts'

// Checks a thousand signatures. `npm run trials` checks more signatures with different seeds.
describeVerifier(1, 27)
