import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { root } from './pack.ts'

const started: ChildProcess[] = []

/** Ends what has not ended. */
export function killDemos(): void {
  // The whole group: npm alone would leave the demo behind.
  for (const { pid, exitCode, signalCode } of started.splice(0)) {
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
  }
}

/** `npm start`, in a process group of its own as in a terminal. */
export function startDemo(environment: Record<string, string>, args: readonly string[] = []) {
  const child = spawn('npm', ['start', '--', ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  started.push(child)
  let output = ''
  const waiting: (() => void)[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      for (const check of waiting) check()
    })
  }
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  return {
    child,
    exited,
    output: () => output,
    shows: (text: string | RegExp) =>
      new Promise<void>((resolve, reject) => {
        const check = () => {
          if (output.search(text) >= 0) resolve()
        }
        waiting.push(check)
        check()
        void exited.then(() => reject(new TypeError(`it ended without showing ${text}:\n${output}`)))
      }),
    /** Ctrl-C, and waits until the last process that holds its output is gone. */
    async interrupt(): Promise<void> {
      const gone = once(child.stdout, 'close')
      process.kill(-(child.pid ?? 0), 'SIGINT')
      await gone
    },
  }
}
