import { quoteComponents } from '../quote/typedData.ts'

const quote = { name: 'quote', type: 'tuple', components: quoteComponents } as const

/** The ABI of the `QuoteMarket` contract. */
export const quoteMarketAbi = [
  {
    type: 'function',
    name: 'interestRatePool',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ name: '', type: 'address' }],
  },
  {
    type: 'function',
    name: 'hashQuote',
    stateMutability: 'view',
    inputs: [quote],
    outputs: [{ name: '', type: 'bytes32' }],
  },
  {
    type: 'function',
    name: 'nonces',
    stateMutability: 'view',
    inputs: [{ name: 'maker', type: 'address' }],
    outputs: [{ name: '', type: 'uint256' }],
  },
  {
    type: 'function',
    name: 'quoteStatus',
    stateMutability: 'view',
    inputs: [{ name: 'hash', type: 'bytes32' }],
    outputs: [{ name: '', type: 'uint8' }],
  },
  { type: 'function', name: 'cancelQuote', stateMutability: 'nonpayable', inputs: [quote], outputs: [] },
  {
    type: 'function',
    name: 'raiseNonce',
    stateMutability: 'nonpayable',
    inputs: [],
    outputs: [{ name: 'nonce', type: 'uint256' }],
  },
  {
    type: 'function',
    name: 'previewTakeQuote',
    stateMutability: 'view',
    inputs: [quote, { name: 'signature', type: 'bytes' }, { name: 'borrower', type: 'address' }],
    outputs: [
      { name: 'executable', type: 'bool' },
      { name: 'reason', type: 'bytes32' },
      { name: 'borrowerCost', type: 'uint256' },
      { name: 'capacity', type: 'uint256' },
    ],
  },
  {
    type: 'function',
    name: 'takeQuote',
    stateMutability: 'nonpayable',
    inputs: [quote, { name: 'signature', type: 'bytes' }, { name: 'maxCost', type: 'uint256' }],
    outputs: [{ name: 'positionId', type: 'uint256' }],
  },
  {
    type: 'function',
    name: 'takeQuoteFor',
    stateMutability: 'nonpayable',
    inputs: [
      quote,
      { name: 'signature', type: 'bytes' },
      { name: 'maxCost', type: 'uint256' },
      { name: 'borrower', type: 'address' },
    ],
    outputs: [{ name: 'positionId', type: 'uint256' }],
  },
  {
    type: 'function',
    name: 'eip712Domain',
    stateMutability: 'view',
    inputs: [],
    outputs: [
      { name: 'fields', type: 'bytes1' },
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
      { name: 'salt', type: 'bytes32' },
      { name: 'extensions', type: 'uint256[]' },
    ],
  },
  {
    type: 'event',
    name: 'QuoteFilled',
    inputs: [
      { name: 'hash', type: 'bytes32', indexed: true },
      { name: 'maker', type: 'address', indexed: true },
      { name: 'taker', type: 'address', indexed: true },
      { name: 'poolId', type: 'bytes32', indexed: false },
      { name: 'seriesKey', type: 'bytes32', indexed: false },
      { name: 'notional', type: 'uint256', indexed: false },
      { name: 'vrtAmount', type: 'uint256', indexed: false },
      { name: 'cost', type: 'uint256', indexed: false },
    ],
  },
  {
    type: 'event',
    name: 'QuoteCancelled',
    inputs: [
      { name: 'hash', type: 'bytes32', indexed: true },
      { name: 'maker', type: 'address', indexed: true },
    ],
  },
  {
    type: 'event',
    name: 'NonceRaised',
    inputs: [
      { name: 'maker', type: 'address', indexed: true },
      { name: 'nonce', type: 'uint256', indexed: false },
    ],
  },
  { type: 'error', name: 'QuoteNotExecutable', inputs: [{ name: 'reason', type: 'bytes32' }] },
  { type: 'error', name: 'QuoteNotOpen', inputs: [{ name: 'hash', type: 'bytes32' }] },
  {
    type: 'error',
    name: 'CostTooHigh',
    inputs: [
      { name: 'cost', type: 'uint256' },
      { name: 'maxCost', type: 'uint256' },
    ],
  },
  { type: 'error', name: 'OperatorNotApproved', inputs: [{ name: 'borrower', type: 'address' }] },
  { type: 'error', name: 'TransferIncomplete', inputs: [{ name: 'token', type: 'address' }] },
  { type: 'error', name: 'NotMaker', inputs: [] },
] as const
