export { exitCodes } from './exitCodes.ts'
export { formatAmount, parseAmount } from './format/amount.ts'
export { parseInstant } from './format/instant.ts'
