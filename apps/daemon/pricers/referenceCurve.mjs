// Follows a curve that another program of yours writes: fixed rates by term, say from the market where you hedge. A file of JSON:
//
//   { "updatedAt": 1800000000, "points": [{ "days": 7, "bps": 410 }, { "days": 30, "bps": 435 }] }
//
// `updatedAt` in Unix seconds, rates as simple APR in hundredths of a percent; linear between the points, level beyond them. Added is
// MARGIN_BPS, 20 unless given. A curve that is missing, cannot be read or is older than 10 minutes is not quoted from. Replace the file
// as a whole (write another one and rename it).
//
//   REFERENCE_CURVE=./curve.json firmquote-daemon --pricer pricers/referenceCurve.mjs --config ...
import { readFile } from 'node:fs/promises'
import { quoteAt, wad } from '@firmquote/daemon'

const bps = wad / 10_000n
const day = 86_400n
const oldestSeconds = 600

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
  const margin = BigInt(process.env.MARGIN_BPS ?? 20) * bps
  const left = BigInt(Math.max(0, input.rfq.expiry - input.now))
  return quoteAt(input, () => aprAt(curve.points, left) + margin)
}

function decodeCurve(text) {
  const { updatedAt, points } = JSON.parse(text)
  const isPoint = ({ days, bps: rate }, at) =>
    Number.isSafeInteger(days) && Number.isSafeInteger(rate) && days > (points[at - 1]?.days ?? -1)
  if (!Number.isSafeInteger(updatedAt) || points.length === 0 || !points.every(isPoint))
    throw new TypeError('malformed')
  return { updatedAt, points }
}

function aprAt(points, left) {
  const at = (point) => BigInt(point.bps) * bps
  const after = points.findIndex(({ days }) => BigInt(days) * day >= left)
  if (after === -1) return at(points.at(-1))
  if (after === 0) return at(points[0])
  const [from, to] = [points[after - 1], points[after]]
  const start = BigInt(from.days) * day
  return at(from) + ((at(to) - at(from)) * (left - start)) / (BigInt(to.days) * day - start)
}

function decline(code, reason) {
  return { kind: 'decline', code, reason }
}
