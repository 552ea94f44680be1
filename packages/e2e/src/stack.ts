import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Devnet, startDevnet } from '@firmquote/devnet'

/** A chain and a server on it, both real processes on ports of their own. */
export type Stack = {
  devnet: Devnet
  url: string
  server: ChildProcess
  /** What the server has logged so far. */
  logs(): string
  stop(): Promise<void>
}

/** Starts a devnet and `firmquote-server` on it; `environment` is added to the server's. */
export async function startStack(environment: Record<string, string> = {}): Promise<Stack> {
  const devnet = await startDevnet()
  const dataDir = mkdtempSync(join(tmpdir(), 'firmquote-e2e-'))
  const main = fileURLToPath(new URL('../../../apps/server/dist/main.js', import.meta.url))
  const server = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      RPC_URL: devnet.rpcUrl,
      DATA_DIR: dataDir,
      // This chain mines on transactions only, so its newest block may be old.
      HEAD_DEGRADED_SECONDS: '3600',
      HEAD_STALE_SECONDS: '3600',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(server, 'exit')
  let output = ''
  server.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const stop = async () => {
    server.kill('SIGTERM')
    await exited
    await devnet.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const url = await new Promise<string>((resolve, reject) => {
      server.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        const ready = /ready (http:\/\/[^\s"]+)/.exec(output)
        if (ready?.[1]) resolve(ready[1])
      })
      server.once('exit', () => reject(new TypeError(`the server ended:\n${output}`)))
    })
    return { devnet, url, server, logs: () => output, stop }
  } catch (error) {
    if (server.exitCode === null) await stop()
    else await devnet.stop()
    throw error
  }
}
