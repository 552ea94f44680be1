import { describePositionLives } from './describePositionLives.testing.ts'

describePositionLives(Number(process.env['SEED'] ?? 1), 300 * Number(process.env['ROUNDS'] ?? 1))
