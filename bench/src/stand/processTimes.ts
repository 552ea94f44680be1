import { readdirSync, readFileSync } from 'node:fs'

/** Processor time, user and system, in microseconds, by process. */
export type ProcessTimes = Readonly<Record<string, number>>

/** Linux counts processor time in hundredths of a second on every architecture that Node supports. */
const tickMicroseconds = 10_000

/**
 * Reads from `/proc` the processor time of processes since their start: all their threads and their children.
 *
 * @throws {TypeError} when a process is gone.
 */
export function readProcessTimes(pids: Readonly<Record<string, number>>): ProcessTimes {
  const all = readdirSync('/proc').flatMap((name) => readStat(Number(name)) ?? [])
  return mapTimes(pids, (pid, name) => {
    const own = all.find((stat) => stat.pid === pid)
    if (!own) throw new TypeError(`The process of ${name} is gone.`)
    const children = all.filter((stat) => stat.parent === pid)
    const ticks = children.reduce((sum, child) => sum + child.ticks, own.ticks + own.endedChildrenTicks)
    return ticks * tickMicroseconds
  })
}

/** The time between two readings, divided by a count. */
export function timesBetween(before: ProcessTimes, after: ProcessTimes, count = 1): ProcessTimes {
  return mapTimes(after, (time, name) => (time - (before[name] ?? 0)) / count)
}

export function totalTime(times: ProcessTimes): number {
  return Object.values(times).reduce((sum, time) => sum + time, 0)
}

/** Maps every time, keeping the names. */
export function mapTimes(times: ProcessTimes, map: (time: number, name: string) => number): ProcessTimes {
  return Object.fromEntries(Object.entries(times).map(([name, time]) => [name, map(time, name)]))
}

function readStat(pid: number) {
  if (!Number.isInteger(pid)) return null
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets may contain spaces and brackets. The fields after it start with the state: see proc(5).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number)
    return { pid, parent: Number(fields[1]), ticks: user + system, endedChildrenTicks: childUser + childSystem }
  } catch {
    return null
  }
}
