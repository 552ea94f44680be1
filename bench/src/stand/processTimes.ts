import { readdirSync, readFileSync } from 'node:fs'

/** Processor time, user and system, in microseconds, by what it was spent in. */
export type ProcessTimes = ReadonlyMap<string, number>

/** A process whose time is read: alone, or with the processes that it has started, each under a name that its own title gives. */
export type WatchedProcess = { name: string; pid: number; childName?: (title: string) => string }

/** Linux counts processor time in hundredths of a second for every architecture that Node runs on. */
const tickMicroseconds = 10_000

/**
 * Reads from `/proc` what processes have used since their start, all their threads together. Children that have ended count for
 * the process that started them.
 *
 * @throws {TypeError} when a process is gone.
 */
export function readProcessTimes(watched: readonly WatchedProcess[]): ProcessTimes {
  const times = new Map<string, number>()
  const add = (name: string, ticks: number) => times.set(name, (times.get(name) ?? 0) + ticks * tickMicroseconds)
  for (const { name, pid, childName } of watched) {
    const own = readStat(pid)
    if (!own) throw new TypeError(`The process of ${name} is gone.`)
    add(name, own.ticks)
    if (!childName) continue
    add(name, own.endedChildrenTicks)
    for (const child of childrenOf(pid)) {
      const stat = readStat(child)
      if (stat) add(childName(titleOf(child)), stat.ticks)
    }
  }
  return times
}

/** What was used between two readings. */
export function timesBetween(before: ProcessTimes, after: ProcessTimes): ProcessTimes {
  return new Map([...after].map(([name, time]) => [name, time - (before.get(name) ?? 0)]))
}

/** All of it together. */
export function totalTime(times: ProcessTimes): number {
  return [...times.values()].reduce((sum, time) => sum + time, 0)
}

function readStat(pid: number): { parent: number; ticks: number; endedChildrenTicks: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets may have spaces and brackets of its own. Behind it are state, parent, …: see proc(5).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number)
    return {
      parent: Number(fields[1]),
      ticks: (user ?? 0) + (system ?? 0),
      endedChildrenTicks: (childUser ?? 0) + (childSystem ?? 0),
    }
  } catch {
    return null
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => readStat(other)?.parent === pid)
}

function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim()
  } catch {
    return ''
  }
}
