// Why: docs/decisions/0070-compared-at-maturity.md
import { InvalidInputError } from '../errors.ts'
import { keptIndex, maxIndex } from './positionPayout.ts'
import { checkRate } from './rates.ts'

/**
 * Returns the factor by which a lending market's index grows at a constant rate, in RAY: `e^(rate * seconds)`, rounded
 * down. The market compounds continuously. The factor is at most 2^192 - 1, the largest index that the contract stores.
 *
 * @param ratePerSec - WAD (1e18 = 100 %) per second, 0 to {@link maxRatePerSec}.
 * @param seconds - Length of the period, a safe integer of at least zero.
 * @throws {InvalidInputError} if a value is not in its range.
 * @example
 * ```ts
 * // 5 % APR for a year is 5.127 %.
 * floatingGrowth(1_585_489_599n, 31_536_000) // 1_051_271_096_369_783_694_469_448_078n
 * ```
 */
export function floatingGrowth(ratePerSec: bigint, seconds: number): bigint {
  checkRate(ratePerSec)
  if (!Number.isSafeInteger(seconds) || seconds < 0) {
    throw new InvalidInputError('must be a safe integer of at least zero.', { path: 'seconds', given: seconds })
  }
  const exponent = ratePerSec * BigInt(seconds) * wadToUnit
  if (exponent > largestExponent) return maxIndex
  return keptIndex(exp(exponent) / unitToRay)
}

/** Returns e to the power of a number from 0 to 71, both scaled by {@link unit}. */
function exp(exponent: bigint): bigint {
  // The series converges fast below a sixteenth, and each halving is undone by a squaring.
  let halvings = 0n
  while (exponent >> halvings > unit / 16n) halvings += 1n
  const small = exponent >> halvings
  let sum = unit
  let term = unit
  for (let n = 1n; term > 0n; n += 1n) {
    term = (term * small) / (unit * n)
    sum += term
  }
  for (; halvings > 0n; halvings -= 1n) sum = (sum * sum) / unit
  return sum
}

// Of these 80 decimals, rounding and eleven squarings of a factor up to e^71 leave more than the 27 of RAY.
const unit = /* @__PURE__ */ (() => 10n ** 80n)()
const wadToUnit = /* @__PURE__ */ (() => 10n ** 62n)()
const unitToRay = /* @__PURE__ */ (() => 10n ** 53n)()
// e^71 exceeds the largest index.
const largestExponent = /* @__PURE__ */ (() => 71n * 10n ** 80n)()
