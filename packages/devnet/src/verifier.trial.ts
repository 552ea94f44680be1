import { describeVerifier } from '../test/describeVerifier.ts'

// Two rounds together check ten thousand signatures.
describeVerifier(Number(process.env['SEED'] ?? 1), 135 * Number(process.env['ROUNDS'] ?? 1))
