import { AsyncLocalStorage } from 'node:async_hooks'

/** The monotonic time at which a read's budget ends, and the maximum of budgets that begin inside of it. */
type Budget = { end: number | null; maxMs: number }

const budgets = new AsyncLocalStorage<Budget>()
const maxMsOf = () => budgets.getStore()?.maxMs ?? Number.POSITIVE_INFINITY

/** Runs a read. Its calls to the node, including retries, end within `ms` milliseconds. */
export function withBudget<T>(ms: number, read: () => Promise<T>): Promise<T> {
  const maxMs = maxMsOf()
  return budgets.run({ end: performance.now() + Math.min(ms, maxMs), maxMs }, read)
}

/** Runs a read outside of its caller's budget, because a queue may run it for another caller. */
export function withoutBudget<T>(read: () => Promise<T>): Promise<T> {
  return budgets.run({ end: null, maxMs: maxMsOf() }, read)
}

/** Limits every budget that begins inside of a read. The limit is a duration, because reads may share a batch. */
export function limitBudgets<T>(maxMs: number, read: () => Promise<T>): Promise<T> {
  return budgets.run({ end: null, maxMs }, read)
}

/** The monotonic time at which a call must end. Outside of a budget, a call has `defaultMs` milliseconds. */
export function budgetEnd(defaultMs: number): number {
  return budgets.getStore()?.end ?? performance.now() + Math.min(defaultMs, maxMsOf())
}
