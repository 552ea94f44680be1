import { INTEREST_RATE_POOL_ADDRESS, QUOTE_MARKET_ADDRESS } from '@firmquote/addresses'

const other = '0x1111111111111111111111111111111111111111'

/** The configuration of a service that uses a client's default contracts, in wire form. */
export const serviceConfig = {
  apiVersion: 'v1',
  chainId: 8453,
  contracts: {
    quoteMarket: QUOTE_MARKET_ADDRESS,
    interestRatePool: INTEREST_RATE_POOL_ADDRESS,
    bundler3: other,
    keeperBundler: other,
  },
  deployBlock: 0,
  eip712Domain: { name: 'QuoteMarket', version: '1', chainId: 8453, verifyingContract: QUOTE_MARKET_ADDRESS },
  auction: { durationMs: 15_000, quotesPerBacker: 1 },
  limits: {
    bodyBytes: 16_384,
    rfqsPerMinute: 12,
    openRfqs: 2,
    storedQuotesPerMaker: 100,
    socketsPerBacker: 3,
    minQuoteLifetimeSeconds: 20,
    maxQuoteLifetimeSeconds: 86_400,
  },
}
