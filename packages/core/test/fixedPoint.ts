// A reference implementation that evaluates textbook series in bigint fixed-point arithmetic. It is slow but far more
// precise than floats.

/** 1 in fixed point, with a hundred decimals: `e^70` in RAY needs 58 correct digits. */
export const one = 10n ** 100n

/** Converts a float's exact binary value to fixed point. */
export function fixed(value: number): bigint {
  let shift = 0n
  let rest = value
  while (!Number.isInteger(rest)) {
    rest *= 2
    shift += 1n
  }
  return (BigInt(rest) * one) >> shift
}

function atanhSeries(x: bigint): bigint {
  const square = (x * x) / one
  let sum = 0n
  let power = x
  for (let n = 1n; power !== 0n; n += 2n) {
    sum += power / n
    power = (power * square) / one
  }
  return sum
}

const ln2 = 2n * atanhSeries(one / 3n)

/** Returns the natural logarithm of a fixed-point number of at least one. */
export function ln(x: bigint): bigint {
  let rest = x
  let halvings = 0n
  while (rest > (one * 3n) / 2n) {
    rest /= 2n
    halvings += 1n
  }
  return halvings * ln2 + 2n * atanhSeries(((rest - one) * one) / (rest + one))
}

/** Returns e to the power of a non-negative fixed-point number. */
export function exp(x: bigint): bigint {
  let rest = x
  let halvings = 0
  while (rest > one / 16n) {
    rest /= 2n
    halvings += 1
  }
  let sum = one
  let term = one
  for (let n = 1n; term !== 0n; n += 1n) {
    term = (term * rest) / one / n
    sum += term
  }
  for (; halvings > 0; halvings -= 1) sum = (sum * sum) / one
  return sum
}
