import { describeVerifier } from '../test/describeVerifier.ts'

// A thousand signatures; `npm run trials` takes more, and others each time.
describeVerifier(1, 27)
