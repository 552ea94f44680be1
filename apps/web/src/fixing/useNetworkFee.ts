import { type TakeState, useChain } from '@firmquote/react'
import { useQuery } from '@tanstack/react-query'
import { BaseError, ContractFunctionZeroDataError, parseAbi } from 'viem'
import { readContract } from 'viem/actions'
import { networkFee } from './networkFee.ts'
import { useFunds } from './useFunds.ts'

/** Address and function of the OP stack's gas price oracle. Base adds a fee for a transaction's data on L1. */
const oracle = {
  address: '0x420000000000000000000000000000000000000F',
  abi: parseAbi(['function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)']),
  functionName: 'getL1FeeUpperBound',
} as const

const sampleBytes = 1_000n

/**
 * Estimates the network fee of the calls that remain in a state, in wei. Undefined until the gas price is known. If
 * `isWithoutL1` is true, the fee omits the chain's L1 data fee, which the node did not return.
 */
export function useNetworkFee(
  state: TakeState,
  token: `0x${string}`,
): { fee: bigint; symbol: string; decimals: number; isWithoutL1: boolean } | undefined {
  const chain = useChain()
  const client = chain.state === 'ready' ? chain.client : null
  const { data: funds } = useFunds(token)
  const { data: l1Fee, error } = useQuery({
    queryKey: ['l1Fee', client?.uid],
    queryFn: async () => {
      if (!client) return 0n
      try {
        return await readContract(client, { ...oracle, args: [sampleBytes] })
      } catch (error) {
        // Only OP stack chains have the oracle.
        if (error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionZeroDataError))
          return 0n
        throw error
      }
    },
    enabled: client !== null,
    staleTime: 60_000,
    retry: false,
  })
  const coin = client?.chain?.nativeCurrency
  if (!coin || !funds || !('calls' in state) || (l1Fee === undefined && !error)) return undefined
  const l1FeeOfByte = ((l1Fee ?? 0n) + sampleBytes - 1n) / sampleBytes
  const fee = networkFee(state.calls, { gasPrice: funds.gasPrice, l1FeeOfByte })
  return { fee, symbol: coin.symbol, decimals: coin.decimals, isWithoutL1: l1Fee === undefined }
}
