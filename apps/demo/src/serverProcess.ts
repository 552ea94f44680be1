import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { DemoError } from './demoError.ts'

/** The server, running as its own process. */
export type ServerProcess = {
  url: string
  /** Resolves when the process is gone, whoever ended it. */
  exited: Promise<void>
  stop(): Promise<void>
}

const startTimeoutMs = 20_000
const keptOutput = 8_000

/**
 * Starts `firmquote-server` as an operator would, through its environment, and waits until it says that it is ready.
 *
 * @throws {DemoError} when it does not come up; the message ends with what it printed.
 */
export async function startServerProcess(options: {
  port: number
  rpcUrl: string
  dataDir: string
}): Promise<ServerProcess> {
  const main = fileURLToPath(new URL('./main.js', import.meta.resolve('@firmquote/server')))
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      PORT: String(options.port),
      RPC_URL: options.rpcUrl,
      DATA_DIR: options.dataDir,
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
    },
    // The channel ends the server when this process is gone, also when it was killed.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Ctrl-C reaches a whole process group; the demo stops its parts in order instead.
    detached: true,
  })
  let output = ''
  const outputs = [child.stdout, child.stderr]
  let timer: NodeJS.Timeout | undefined
  const ready = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), startTimeoutMs)
    for (const stream of outputs) {
      stream?.on('data', (chunk: Buffer) => {
        output = (output + chunk.toString()).slice(-keptOutput)
        if (/^ready /m.test(output)) resolve(true)
      })
    }
    child.once('exit', () => resolve(false))
  })
  const exited = once(child, 'exit').then(() => {})
  const isReady = await ready
  clearTimeout(timer)
  if (!isReady) {
    child.kill('SIGKILL')
    throw new DemoError(`The server did not start.\n${output.trim()}`)
  }
  const show = (chunk: Buffer) => process.stderr.write(chunk)
  for (const stream of outputs) stream?.on('data', show)
  return {
    url: `http://localhost:${options.port}`,
    exited,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
