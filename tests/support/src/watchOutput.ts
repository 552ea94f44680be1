import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** The output of a child process, and its end. */
export type WatchedOutput = {
  /** Output so far, by stream. */
  text: { readonly out: string; readonly err: string }
  /** Output so far of both streams. */
  output(): string
  /**
   * Waits for a match in the output.
   *
   * @throws {TypeError} when the process ends without one.
   */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** The exit code, once both streams are closed; null when a signal ended the process. */
  ended: Promise<number | null>
}

/** Collects the output of a child process whose streams are pipes. */
export function watchOutput(child: ChildProcess): WatchedOutput {
  const text = { out: '', err: '' }
  let output = ''
  let hasEnded = false
  const listeners = new Set<() => void>()
  const wake = () => {
    for (const listener of [...listeners]) listener()
  }
  for (const [name, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ] as const) {
    stream?.on('data', (chunk: Buffer) => {
      text[name] += chunk.toString()
      output += chunk.toString()
      wake()
    })
  }
  const ended = once(child, 'close').then(([code]) => {
    hasEnded = true
    wake()
    return code as number | null
  })
  return {
    text,
    output: () => output,
    ended,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(output)
          if (found) resolve(found)
          else if (hasEnded) reject(new TypeError(`It ended without saying ${pattern}:\n${output}`))
          else return
          listeners.delete(look)
        }
        listeners.add(look)
        look()
      }),
  }
}
