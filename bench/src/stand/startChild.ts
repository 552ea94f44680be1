import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A program of this repository that listens. */
export type Child = {
  url: string
  pid: number
  /** Ends it in order and waits until it is gone; again is harmless. */
  stop(): Promise<void>
}

/**
 * Starts a Node program that prints `ready <url>` when it listens. It has a channel to this process and so ends with it,
 * however this process ends.
 *
 * @throws {TypeError} when it ends before it is ready; its own message is on the terminal.
 */
export async function startChild(
  file: string,
  { env, nodeOptions = [] }: { env: Record<string, string>; nodeOptions?: readonly string[] },
): Promise<Child> {
  const child = spawn(process.execPath, [...nodeOptions, file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    // A process group of its own: Ctrl-C in a terminal reaches this process only, which then decides the order of things.
    detached: true,
  })
  const exited = once(child, 'exit')
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /^ready (\S+)$/m.exec(output)?.[1]
      if (found === undefined) return
      // From now on the output is only drained, so that the program never waits for a full pipe.
      child.stdout?.removeAllListeners('data').resume()
      resolve(found)
    })
    child.once('exit', () => reject(new TypeError(`${file} ended before it was ready.`)))
  })
  if (child.pid === undefined) throw new TypeError(`${file} has no process.`)
  return {
    url,
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
