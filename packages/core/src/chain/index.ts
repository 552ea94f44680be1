export { multicall3Address } from './aggregate.ts'
export {
  type QuoteStates,
  type ReadQuoteStatesParameters,
  readLatestBlock,
  readQuoteStates,
} from './readQuoteStates.ts'
