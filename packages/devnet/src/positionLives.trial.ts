import { describePositionLives } from '../test/describePositionLives.ts'

describePositionLives(Number(process.env['SEED'] ?? 1), 30 * Number(process.env['ROUNDS'] ?? 1))
