import { MORPHO_BLUE_ADAPTER_ADDRESS } from '@firmquote/addresses/adapters'
import { type Address, isAddressEqual } from 'viem'

/** The lending protocol that a pool's adapter reads; `unknown` when it is none of the deployment's adapters. */
export function protocolOf(adapter: Address): string {
  return isAddressEqual(adapter, MORPHO_BLUE_ADAPTER_ADDRESS) ? 'morpho-blue' : 'unknown'
}
