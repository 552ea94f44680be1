// Quotes from a curve file written by another program. The curve contains fixed rates by term and size, for example
// from your hedging market. The file is JSON:
//
//   { "updatedAt": 1800000000,
//     "points": [{ "days": 7, "bps": 410 }, { "days": 30, "bps": 435 }],
//     "sizes": [{ "from": 250000, "bps": 5 }, { "from": 1000000, "bps": 15 }] }
//
// `updatedAt` is in Unix seconds, rates are simple APR in basis points, and sizes are in whole loan tokens. Rates are
// interpolated linearly between the points and constant beyond them. `sizes` is optional. Each entry in `sizes` adds
// its `bps` to requests of at least that size. MARGIN_BPS (default 20) is added to the result. The pricer declines if
// the file is missing, invalid or older than 10 minutes. To replace the file atomically, write a new one and rename it.
//
//   REFERENCE_CURVE=./curve.json firmquote-daemon --pricer curve.mjs --config ...
import { readFile } from 'node:fs/promises'
import { quoteAt, wad } from '@firmquote/daemon'

const bps = wad / 10_000n
const day = 86_400n
const oldestSeconds = 600
const margin = BigInt(process.env.MARGIN_BPS ?? 20)

/** @type {import('@firmquote/daemon').Pricer} */
export async function priceRfq(input) {
  let curve
  try {
    curve = decodeCurve(await readFile(process.env.REFERENCE_CURVE ?? './curve.json', 'utf8'))
  } catch {
    return decline('REFERENCE_UNREADABLE', 'The reference curve cannot be read.')
  }
  if (Math.abs(input.now - curve.updatedAt) > oldestSeconds) {
    return decline('REFERENCE_STALE', `The reference curve is ${input.now - curve.updatedAt} seconds old.`)
  }
  const left = BigInt(Math.max(0, input.rfq.expiry - input.now))
  const oneToken = 10n ** BigInt(input.decimals)
  return quoteAt(
    input,
    (notional) => termApr(curve.points, left) + (sizeBps(curve.sizes, notional, oneToken) + margin) * bps,
  )
}

function decodeCurve(text) {
  const { updatedAt, points, sizes = [] } = JSON.parse(text)
  const isRising = (list, by) =>
    list.every(
      (each, at) =>
        Number.isSafeInteger(each.bps) && Number.isSafeInteger(each[by]) && each[by] > (list[at - 1]?.[by] ?? -1),
    )
  if (!Number.isSafeInteger(updatedAt) || points.length === 0 || !isRising(points, 'days') || !isRising(sizes, 'from'))
    throw new TypeError('malformed')
  return { updatedAt, points, sizes }
}

function termApr(points, left) {
  const at = (point) => BigInt(point.bps) * bps
  const after = points.findIndex(({ days }) => BigInt(days) * day >= left)
  if (after === -1) return at(points.at(-1))
  if (after === 0) return at(points[0])
  const [from, to] = [points[after - 1], points[after]]
  const start = BigInt(from.days) * day
  return at(from) + ((at(to) - at(from)) * (left - start)) / (BigInt(to.days) * day - start)
}

function sizeBps(sizes, notional, oneToken) {
  return BigInt(sizes.findLast(({ from }) => notional >= BigInt(from) * oneToken)?.bps ?? 0)
}

/** @returns {import('@firmquote/daemon').Decline} */
function decline(code, reason) {
  return { kind: 'decline', code, reason }
}
