import type { ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'

/** The output and exit code of a child process. */
export type WatchedOutput = ReturnType<typeof watchOutput>

/** Collects a child process's output. Its streams must be pipes. */
export function watchOutput(child: ChildProcess) {
  const text = { out: '', err: '' }
  let output = ''
  let hasEnded = false
  const changes = new EventEmitter().setMaxListeners(0)
  for (const [name, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ] as const) {
    stream?.on('data', (chunk: Buffer) => {
      text[name] += chunk.toString()
      output += chunk.toString()
      changes.emit('change')
    })
  }
  const ended = once(child, 'close').then(([code]) => {
    hasEnded = true
    changes.emit('change')
    return code as number | null
  })
  return {
    /** The output so far, by stream. */
    text: text as Readonly<typeof text>,
    /** The combined output of both streams so far. */
    output: () => output,
    /** Resolves to the exit code once both streams are closed. The exit code is null if a signal ended the process. */
    ended,
    /**
     * Waits until the output matches a pattern.
     *
     * @throws {TypeError} if the process exits without a match.
     */
    async says(pattern: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const found = pattern.exec(output)
        if (found) return found
        if (hasEnded) throw new TypeError(`The process exited without printing ${pattern}:\n${output}`)
        await once(changes, 'change')
      }
    },
  }
}
