import type { Figure, RowContext } from './row.ts'
import { figureOf, ratioOf } from './stand/figureOf.ts'

/** One of the sides of a comparison. */
export type Side = {
  name: string
  /** Works for about this time. */
  work(milliseconds: number): Promise<{ calls: number; milliseconds: number }>
}

/** How ours did against each of the others. */
export type Comparison = {
  /** Ours against theirs: the ratio of each round. */
  ratio: Figure
  /** The same against each further rival, in their order. */
  otherRatios: Figure[]
  /** What each side did per second: ours, theirs, the others. */
  rates: { name: string; rate: Figure }[]
}

const chunk = 256

/**
 * A side that does one thing many times, each time with an input that it has not seen: they are prepared in chunks,
 * outside of what is timed, so they are as warm as what a server has just read.
 *
 * @param call must return something truthy: a side that refuses what it is given would be measured at the wrong thing.
 *   What returns a promise is awaited before the next call.
 * @param callSize for how many a call counts.
 */
export function createSide<Input>(
  name: string,
  prepare: (count: number) => Input[] | Promise<Input[]>,
  call: (input: Input) => unknown,
  { callSize = 1 } = {},
): Side {
  let size = 4
  const refused = () => new TypeError(`${name} refused an input.`)

  return {
    name,
    async work(milliseconds) {
      let [calls, spent] = [0, 0]
      do {
        const inputs = await prepare(size)
        const started = performance.now()
        const first = call(inputs[0] as Input)
        if (first instanceof Promise) {
          if (!(await first)) throw refused()
          for (let index = 1; index < inputs.length; index += 1)
            if (!(await call(inputs[index] as Input))) throw refused()
        } else {
          if (!first) throw refused()
          for (let index = 1; index < inputs.length; index += 1) if (!call(inputs[index] as Input)) throw refused()
        }
        spent += performance.now() - started
        calls += inputs.length * callSize
        // Chunks grow from small, since a slow side must not overrun its turn by a whole one.
        const left = ((milliseconds - spent) * calls) / spent / callSize
        size = Math.max(4, Math.min(chunk, size * 2, Math.ceil(left)))
      } while (spent < milliseconds)
      return { calls, milliseconds: spent }
    },
  }
}

/**
 * Measures sides against each other in rounds. In each they take many short turns, in an order that is reversed from
 * turn to turn, so that a machine that slows down slows all of them. A first round warms up and is not counted.
 */
export async function compareRates(
  { ours, theirs, others = [] }: { ours: Side; theirs: Side; others?: readonly Side[] },
  { rounds, progress }: RowContext,
  { turnMs = 50, turns = 8 } = {},
): Promise<Comparison> {
  const sides = [ours, theirs, ...others]
  const rates: number[][] = []
  for (let round = 0; round <= rounds; round += 1) {
    progress(round === 0 ? 'warming up' : `round ${round} of ${rounds}`)
    const done = sides.map((side) => ({ side, calls: 0, milliseconds: 0 }))
    for (let turn = 0; turn < turns; turn += 1) {
      for (const sum of turn % 2 ? done.toReversed() : done) {
        // No side pays for the garbage of the one before it.
        globalThis.gc?.()
        const { calls, milliseconds } = await sum.side.work(turnMs)
        sum.calls += calls
        sum.milliseconds += milliseconds
      }
    }
    if (round > 0) rates.push(done.map(({ calls, milliseconds }) => (calls / milliseconds) * 1_000))
  }
  const of = (index: number) => rates.map((round) => round[index] ?? Number.NaN)
  const against = (index: number) => ratioOf(of(0), of(index))
  return {
    ratio: against(1),
    otherRatios: others.map((_, index) => against(index + 2)),
    rates: sides.map(({ name }, index) => ({ name, rate: figureOf(of(index)) })),
  }
}

/** The rates of a comparison in words, for the notes of a finding. */
export function describeRates({ rates }: Comparison, unit: string): string {
  return rates.map(({ name, rate }) => `${name} ${Math.round(rate.median).toLocaleString('en')} ${unit}`).join(', ')
}
