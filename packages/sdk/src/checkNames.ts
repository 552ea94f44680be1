import { guardInput, InvalidInputError } from '@firmquote/core'

/** The names of the options in `T`: as an object, so that the compiler tells of one that is missing. */
export type Names<T> = Readonly<Record<keyof T & string, unknown>>

/** What others call an option, where the names have nothing in common. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  url: ['orderbookUrl'],
  baseUrl: ['orderbookUrl'],
  endpoint: ['orderbookUrl'],
  orderbookUrl: ['url'],
  onQuote: ['onRFQ'],
  onRequest: ['onRFQ'],
  onFill: ['onQuoteStatus'],
  onFilled: ['onQuoteStatus'],
  timeout: ['timeoutMs'],
  maxCost: ['maxVrtAmount'],
  size: ['notional'],
  amount: ['notional'],
}

/**
 * Refuses an option that there is not: it would be ignored, and what it asks for would not happen.
 *
 * @param known the names that there are.
 * @throws {InvalidInputError} with the nearest of these names.
 */
export function checkNames(given: object, known: Readonly<Record<string, unknown>>): void {
  guardInput('options', () => {
    for (const [name, value] of Object.entries(given)) {
      if (value === undefined || Object.hasOwn(known, name)) continue
      const names = Object.keys(known)
      const nearest = nearestName(name, names)
      // A name that is too long to be one may be a value in the wrong place.
      const path = name.length > 40 ? 'options' : name
      const hint = nearest ? `the name is ${nearest}` : `there are ${names.join(', ')}`
      throw new InvalidInputError(`is not known; ${hint}.`, { path })
    }
  })
}

function nearestName(name: string, names: readonly string[]): string | null {
  const other = Object.hasOwn(otherNames, name) ? otherNames[name]?.find((one) => names.includes(one)) : undefined
  if (other !== undefined) return other
  const lower = name.slice(0, 40).toLowerCase()
  const ranked = names
    .map((one) => {
      const candidate = one.toLowerCase()
      const isPart = lower.length > 3 && (candidate.includes(lower) || lower.includes(candidate))
      return { one, distance: isPart ? Math.min(1, distanceOf(lower, candidate)) : distanceOf(lower, candidate) }
    })
    .sort((a, b) => a.distance - b.distance)
  const [best] = ranked
  return best && best.distance <= Math.min(3, lower.length / 2) ? best.one : null
}

/** How many letters have to be put in, left out or changed. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
