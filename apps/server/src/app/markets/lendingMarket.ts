import { MORPHO_BLUE_ADAPTER_ADDRESS } from '@firmquote/addresses/adapters'
import { InvalidInputError, ratePerSecToApr, ratePerSecToApy, secondsPerYear } from '@firmquote/core'
import { type Address, isAddressEqual } from 'viem'

/** The lending protocol behind a pool's adapter; `unknown` if the adapter is not part of the deployment. */
export function protocolOf(adapter: Address): string {
  return isAddressEqual(adapter, MORPHO_BLUE_ADAPTER_ADDRESS) ? 'morpho-blue' : 'unknown'
}

/** A floating rate in WAD per second, and in percent per year without (`apr`) and with (`apy`) compounding. */
export type FloatingRate = { ratePerSec: bigint; apr: number; apy: number }

/**
 * Converts a floating rate to percent for display. Accepts any rate: outside the range of the rate helpers, the APR is
 * the plain product and the APY is the largest representable number.
 *
 * @param ratePerSec WAD per second.
 */
export function floatingRate(ratePerSec: bigint): FloatingRate {
  return {
    ratePerSec,
    apr: valueOr(() => ratePerSecToApr(ratePerSec), Number(ratePerSec * BigInt(secondsPerYear)) / 1e16),
    apy: valueOr(() => ratePerSecToApy(ratePerSec), Number.MAX_VALUE),
  }
}

function valueOr(convert: () => number, fallback: number): number {
  try {
    return convert()
  } catch (error) {
    if (error instanceof InvalidInputError) return fallback
    throw error
  }
}
