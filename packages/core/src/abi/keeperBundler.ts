/** The ABI of the `KeeperBundler` contract, which settles many positions of one interest-rate pool. */
export const keeperBundlerAbi = [
  {
    type: 'function',
    name: 'interestRatePool',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ name: '', type: 'address' }],
  },
  {
    type: 'function',
    name: 'SETTLE_GAS',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ name: '', type: 'uint256' }],
  },
  {
    type: 'function',
    name: 'settleMany',
    stateMutability: 'nonpayable',
    inputs: [{ name: 'positionIds', type: 'uint256[]' }],
    outputs: [],
  },
  { type: 'error', name: 'NotEnoughGas', inputs: [] },
] as const
