import type { Statement } from '../../../src/adapters/postgresStore/postgresConnection.ts'

/** A participant in an interleaving. The participant's pool calls `beforeStatement` before each statement. */
export type Actor = { beforeStatement(statement: Statement): Promise<Statement> }

type Turn = { go: (() => void) | null; arrived: () => void; done: boolean; blocked: boolean }

/** Returns the index (less than `count`) of the participant to continue. */
export type Choose = (count: number) => number

/**
 * Interleaves transactions on real connections, one statement at a time.
 *
 * @param isWaiting whether at least this many of the running statements are waiting for a lock.
 */
export function limitConcurrency(count: number, isWaiting: (atLeast: number) => Promise<boolean>) {
  let isPaced = false
  const turns: Turn[] = Array.from({ length: count }, () => ({ go: null, arrived() {}, done: true, blocked: false }))

  const beforeStatement = (turn: Turn) => async (statement: Statement) => {
    if (isPaced) {
      await new Promise<void>((resolve) => {
        turn.go = resolve
        turn.blocked = false
        turn.arrived()
      })
    }
    return statement
  }

  /** Waits until a transaction reaches its next statement, ends, or is blocked by another. */
  const settle = async (turn: Turn) => {
    while (!turn.done && turn.go === null) {
      const arrival = new Promise<void>((resolve) => {
        turn.arrived = resolve
      })
      const waiting = turns.filter(({ blocked }) => blocked).length + (turn.blocked ? 0 : 1)
      await Promise.race([arrival, new Promise((resolve) => setTimeout(resolve, 2))])
      if (turn.go === null && !turn.done && (await isWaiting(waiting))) {
        turn.blocked = true
        return
      }
    }
  }

  return {
    actors: turns.map((turn): Actor => ({ beforeStatement: beforeStatement(turn) })),
    /** Runs all transactions; `choose` determines the order of their statements. */
    async run(works: readonly (() => Promise<void>)[], choose: Choose): Promise<void> {
      isPaced = true
      const ends = works.map(async (work, index) => {
        const turn = turns[index]
        if (!turn) throw new RangeError('There are more works than turns.')
        Object.assign(turn, { done: false, go: null, blocked: false })
        try {
          await work()
        } finally {
          turn.done = true
          turn.blocked = false
          turn.arrived()
        }
      })
      for (const end of ends) end.catch(() => {})
      for (;;) {
        for (const turn of turns) if (!turn.blocked) await settle(turn)
        const ready = turns.filter(({ go }) => go !== null)
        const next = ready[ready.length > 0 ? choose(ready.length) : 0]
        if (next) {
          const { go } = next
          next.go = null
          go?.()
          await settle(next)
          // The commit may have unblocked other transactions.
          for (const turn of turns) {
            if (!turn.blocked) continue
            turn.blocked = false
            await settle(turn)
          }
        } else if (turns.every(({ done }) => done)) break
        else await new Promise((resolve) => setTimeout(resolve, 1))
      }
      isPaced = false
      await Promise.all(ends)
    },
  }
}

/** Calls `run` once for every possible sequence of choices. */
export async function forEveryOrder(run: (choose: Choose) => Promise<void>): Promise<number> {
  let path: number[] = []
  for (let runs = 1; ; runs++) {
    const counts: number[] = []
    await run((count) => {
      counts.push(count)
      return path[counts.length - 1] ?? 0
    })
    const taken = counts.map((_, index) => path[index] ?? 0)
    let last = taken.length - 1
    while (last >= 0 && (taken[last] ?? 0) + 1 >= (counts[last] ?? 0)) last -= 1
    if (last < 0) return runs
    path = [...taken.slice(0, last), (taken[last] ?? 0) + 1]
  }
}
