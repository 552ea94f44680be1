import { describeVerifier } from './describeVerifier.testing.ts'

// A thousand signatures; `npm run trials` takes more, and others each time.
describeVerifier(1, 27)
