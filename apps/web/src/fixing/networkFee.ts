import type { TakeState } from '@firmquote/react'

type Call = Extract<TakeState, { calls: unknown }>['calls'][number]

/**
 * Gas used by each call. A take was measured on a devnet (docs/decisions/0032-credits-and-checkpoints.md). The others
 * are an ERC-20 approval and an operator's authorization, which each write one storage slot.
 */
const gasOf: Readonly<Record<Call['purpose'], bigint>> = {
  reset: 30_000n,
  approve: 46_000n,
  permit: 46_000n,
  take: 336_000n,
}

/** Bytes of a signed transaction besides its calldata, at most. */
const envelopeBytes = 200

/**
 * Estimates the network fee of calls, in wei. Pure.
 *
 * @param gasPrice Wei.
 * @param l1FeeOfByte The L1 data fee of a byte of a transaction, in wei. Zero on a chain without one.
 */
export function networkFee(
  calls: readonly Pick<Call, 'purpose' | 'data'>[],
  { gasPrice, l1FeeOfByte }: { gasPrice: bigint; l1FeeOfByte: bigint },
): bigint {
  return calls.reduce((sum, { purpose, data }) => {
    const bytes = BigInt((data.length - 2) / 2 + envelopeBytes)
    return sum + gasOf[purpose] * gasPrice + bytes * l1FeeOfByte
  }, 0n)
}

/** Rounds an amount up to its two leading digits. Pure. */
export function roundUpToTwoDigits(value: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, value.toString().length - 2))
  return ((value + unit - 1n) / unit) * unit
}
