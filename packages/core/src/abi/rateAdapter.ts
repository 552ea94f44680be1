/** The ABI of an adapter that reads from a lending protocol. */
export const rateAdapterAbi = [
  {
    type: 'function',
    name: 'ratePerSec',
    stateMutability: 'view',
    inputs: [{ name: 'market', type: 'bytes32' }],
    outputs: [{ name: '', type: 'uint256' }],
  },
  {
    type: 'function',
    name: 'index',
    stateMutability: 'view',
    inputs: [{ name: 'market', type: 'bytes32' }],
    outputs: [{ name: '', type: 'uint256' }],
  },
  {
    type: 'function',
    name: 'debtOf',
    stateMutability: 'view',
    inputs: [
      { name: 'market', type: 'bytes32' },
      { name: 'borrower', type: 'address' },
    ],
    outputs: [{ name: '', type: 'uint256' }],
  },
] as const
