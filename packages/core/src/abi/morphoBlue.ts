/** What an adapter of Morpho Blue tells beside its rates: the Morpho Blue that it reads. */
export const morphoBlueAdapterAbi = [
  {
    type: 'function',
    name: 'morpho',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ name: '', type: 'address' }],
  },
] as const

/** The view of Morpho Blue that tells what a market is made of. */
export const morphoBlueAbi = [
  {
    type: 'function',
    name: 'idToMarketParams',
    stateMutability: 'view',
    inputs: [{ name: 'id', type: 'bytes32' }],
    outputs: [
      { name: 'loanToken', type: 'address' },
      { name: 'collateralToken', type: 'address' },
      { name: 'oracle', type: 'address' },
      { name: 'irm', type: 'address' },
      { name: 'lltv', type: 'uint256' },
    ],
  },
] as const
