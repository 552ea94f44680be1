import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Measured } from './row.ts'
import type { Outcome } from './runReport.ts'

/** A row that takes longer hangs. */
const mostMs = 20 * 60_000
const entry = fileURLToPath(new URL('rowProcess.ts', import.meta.url))

type Message = { progress: string } | { failure: string } | { result: Measured }

/**
 * Measures a row in a process of its own, so that no row runs with the heap, the compiled code and the threads of another
 * one. It never rejects: what goes wrong is the row's outcome.
 *
 * @param log takes what the process and its rivals print.
 */
export function runRow(
  id: string,
  rounds: number,
  progress: (text: string) => void,
  { signal, log }: { signal: AbortSignal; log: (text: string) => void },
): Promise<Outcome> {
  const started = performance.now()
  const args = ['--expose-gc', '--no-warnings', entry, id, String(rounds)]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    timeout: mostMs,
    signal,
    killSignal: 'SIGTERM',
  })
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => log(chunk.toString()))

  return new Promise((resolve) => {
    let outcome: { failure: string } | Measured | undefined
    child.on('message', (message: Message) => {
      if ('progress' in message) progress(message.progress)
      else if ('failure' in message) outcome = message
      else outcome = message.result
    })
    child.on('error', ({ message }) => {
      outcome ??= { failure: message }
    })
    const end = () => {
      const seconds = Math.round((performance.now() - started) / 1_000)
      const how = child.signalCode ?? child.exitCode
      resolve({ id, seconds, ...(outcome ?? { failure: `ended with ${how} before it had a result` }) })
    }
    // Exited, and all its messages received. Not `close`: what a row leaves behind may keep the pipes open.
    child.once('exit', () => (child.connected ? child.once('disconnect', end) : end()))
  })
}
