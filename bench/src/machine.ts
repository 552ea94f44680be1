import { spawnSync } from 'node:child_process'
import { availableParallelism, cpus, release, totalmem, type } from 'node:os'

/** Where and when a run was. Ratios travel between machines, rates do not. */
export type Machine = {
  cpu: string
  cores: number
  memoryGiB: number
  os: string
  node: string
  /** ISO date. */
  day: string
  /** Short hash, with `+` behind it when tracked files differ from it. */
  commit: string
}

/** Describes this machine, now. */
export function describeThisMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    os: `${type()} ${release()}`,
    node: process.versions.node,
    day: new Date().toISOString().slice(0, 10),
    commit: currentCommit(),
  }
}

function currentCommit(): string {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' })
  const head = git('rev-parse', '--short', 'HEAD')
  if (head.status !== 0) return 'unknown'
  const clean = git('status', '--porcelain', '--untracked-files=no').stdout.trim() === ''
  return head.stdout.trim() + (clean ? '' : '+')
}
