import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second on every architecture that Node supports. */
const tickMicroseconds = 10_000

/**
 * Reads from `/proc` the processor time, user and system, that processes have used together since their start: all their
 * threads and their children. In microseconds.
 *
 * @throws {TypeError} when a process is gone.
 */
export function processorTime(pids: readonly number[]): number {
  const all = readdirSync('/proc').flatMap((name) => readStat(Number(name)) ?? [])
  const ticks = pids.map((pid) => {
    const own = all.find((stat) => stat.pid === pid)
    if (!own) throw new TypeError(`The process ${pid} is gone.`)
    const children = all.filter((stat) => stat.parent === pid)
    return children.reduce((sum, child) => sum + child.ticks, own.ticks + own.endedChildrenTicks)
  })
  return ticks.reduce((sum, each) => sum + each, 0) * tickMicroseconds
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
