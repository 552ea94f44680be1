import { quoteComponents } from '../quote/typedData.ts'

/** The ABI of the `BundlerAdapter` contract, which takes quotes on behalf of the account that sends a bundle. */
export const bundlerAdapterAbi = [
  {
    type: 'function',
    name: 'bundler',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ name: '', type: 'address' }],
  },
  {
    type: 'function',
    name: 'quoteMarket',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ name: '', type: 'address' }],
  },
  {
    type: 'function',
    name: 'takeQuote',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'quote', type: 'tuple', components: quoteComponents },
      { name: 'signature', type: 'bytes' },
      { name: 'maxCost', type: 'uint256' },
    ],
    outputs: [{ name: 'positionId', type: 'uint256' }],
  },
  { type: 'error', name: 'NotBundler', inputs: [] },
] as const
