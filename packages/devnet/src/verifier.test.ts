import { describeVerifier } from '../test/describeVerifier.ts'

// A thousand signatures. `npm run trials` runs more with other seeds.
describeVerifier(1, 27)
