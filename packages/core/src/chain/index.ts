export {
  multicall3Address,
  type QuoteStates,
  type ReadQuoteStatesParameters,
  readLatestBlock,
  readQuoteStates,
} from './readQuoteStates.ts'
