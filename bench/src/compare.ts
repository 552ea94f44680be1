import type { RowContext } from './row.ts'

/** One side of a comparison. Runs for about `milliseconds` and returns the number of calls and the elapsed time. */
export type Side = (milliseconds: number) => Promise<{ calls: number; milliseconds: number }>

/**
 * Creates a side that calls a function with fresh inputs. Inputs are prepared in chunks, and this preparation is not
 * timed.
 *
 * @param call must return a truthy value, so that a side rejecting its input is noticed. A promise is awaited before
 * the next call.
 * @param callSize number of operations per call.
 */
export function createSide<Input>(
  prepare: (count: number) => Input[],
  call: (input: Input) => unknown,
  { callSize = 1 } = {},
): Side {
  // Chunks start small, so that a slow side does not overrun its slice by a full chunk.
  let size = 4
  return async (milliseconds) => {
    let [calls, spent] = [0, 0]
    do {
      const inputs = prepare(size)
      const started = performance.now()
      for (const input of inputs) {
        const result = call(input)
        // Only asynchronous sides pay for `await`.
        if (!(result instanceof Promise ? await result : result)) throw new TypeError('A side rejected its input.')
      }
      spent += performance.now() - started
      calls += inputs.length * callSize
      const left = ((milliseconds - spent) * calls) / spent / callSize
      size = Math.max(4, Math.min(256, size * 2, Math.ceil(left)))
    } while (spent < milliseconds)
    return { calls, milliseconds: spent }
  }
}

/**
 * Measures each side's operations per second in each round. Within a round, the sides alternate in many short slices.
 */
export async function compareRates<Name extends string>(
  sides: Record<Name, Side>,
  context: RowContext,
  { turnMs = 50, turns = 8 } = {},
): Promise<Record<Name, number[]>> {
  const names = Object.keys(sides) as Name[]
  const rounds = await inRounds(context, async () => {
    const done = names.map((name) => ({ name, calls: 0, milliseconds: 0 }))
    for (let turn = 0; turn < turns; turn += 1) {
      for (const sum of turn % 2 ? done.toReversed() : done) {
        // Collect garbage first, so that no side is slowed down by another's.
        globalThis.gc?.()
        const { calls, milliseconds } = await sides[sum.name](turnMs)
        sum.calls += calls
        sum.milliseconds += milliseconds
      }
    }
    return done.map(({ calls, milliseconds }) => (calls / milliseconds) * 1_000)
  })
  return recordOf(names, (_, index) => rounds.map((rates) => rates[index] ?? Number.NaN))
}

/** Runs measurement rounds. The first round is a warm-up and is discarded. */
export async function inRounds<T>(
  { rounds, progress }: RowContext,
  measure: (round: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = []
  for (let round = 0; round <= rounds; round += 1) {
    progress(round === 0 ? 'warming up' : `round ${round} of ${rounds}`)
    const result = await measure(round)
    if (round > 0) results.push(result)
  }
  return results
}

/** Measures the sides in turn, reversing their order every round. */
export async function alternate<Name extends string, T>(
  names: readonly Name[],
  context: RowContext,
  measure: (name: Name, round: number) => Promise<T>,
): Promise<Record<Name, T[]>> {
  const results = recordOf(names, (): T[] => [])
  await inRounds(context, async (round) => {
    for (const name of round % 2 ? names : names.toReversed()) {
      const result = await measure(name, round)
      if (round > 0) results[name].push(result)
    }
  })
  return results
}

const recordOf = <Name extends string, T>(names: readonly Name[], create: (name: Name, index: number) => T) =>
  Object.fromEntries(names.map((name, index) => [name, create(name, index)])) as Record<Name, T>
