import { describePositionLives } from './describePositionLives.testing.ts'

describePositionLives(Number(process.env['SEED'] ?? 1), 30 * Number(process.env['ROUNDS'] ?? 1))
