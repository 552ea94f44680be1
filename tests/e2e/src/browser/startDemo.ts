import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '@firmquote/cluster/freePort'
import { startingEnvironment } from '@firmquote/test-support/startProgram'
import { root } from '../pack.ts'

/** What `npm start` runs, on ports of its own: the chain, the server with the web client, and the backers. */
export type Demo = {
  url: string
  rpcUrl: string
  /** What it has printed so far. */
  output(): string
  /** Stops the server alone; the chain and the backers stay. */
  stopServer(): Promise<void>
  /** Starts it again on the same port, with the same database, and waits until the backers are back. */
  startServer(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts it as `npm start` does once everything is built, and waits until it is ready.
 *
 * @param environment is added to that of all of its parts, as in `{ AUCTION_DURATION_MS: '1500' }`.
 * @throws {TypeError} with what it printed, when it ends instead.
 */
export async function startDemo(environment: Record<string, string> = {}): Promise<Demo> {
  const [port, rpcPort] = [await freePort(), await freePort()]
  const child = spawn(process.execPath, [join(root, 'apps/demo/src/main.ts')], {
    cwd: root,
    env: { ...process.env, ...startingEnvironment(), PORT: String(port), RPC_PORT: String(rpcPort), ...environment },
    // It stops when the channel closes, so it does not outlive this process.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  const ended = once(child, 'close')
  const endedEarly = ended.then(() => {
    throw new TypeError(`the demo ended:\n${output}`)
  })
  const ready = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        const [, url] = /^ready (http:\S+)$/m.exec(output) ?? []
        if (url !== undefined) resolve(url)
      })
    }
    void endedEarly.catch(reject)
  })
  /** The demo answers a message with the same one when it has obeyed. */
  const tell = async (message: string) => {
    child.send(message)
    await Promise.race([once(child, 'message'), endedEarly])
  }
  return {
    url: await ready,
    rpcUrl: `http://127.0.0.1:${rpcPort}`,
    output: () => output,
    stopServer: () => tell('stop server'),
    startServer: () => tell('start server'),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
