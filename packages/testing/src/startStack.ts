import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { programOf, startProgram } from './startProgram.ts'

/** A chain and a server on it, both real processes on ports of their own. */
export type Stack = {
  devnet: Devnet
  url: string
  server: ChildProcess
  /** For whatever a test writes; gone with the stack. */
  folder: string
  /** What the server has logged so far. */
  logs(): string
  stop(): Promise<void>
}

/** Starts a devnet and `firmquote-server` on it; `environment` is added to the server's. */
export async function startStack(environment: Record<string, string> = {}): Promise<Stack> {
  const devnet = await startDevnet()
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-stack-'))
  const server = startProgram(programOf('server'), [], {
    PORT: '0',
    RPC_URL: devnet.rpcUrl,
    DATA_DIR: join(folder, 'server'),
    // This chain mines on transactions only, so its newest block may be old.
    HEAD_DEGRADED_SECONDS: '36000',
    HEAD_STALE_SECONDS: '36000',
    ...environment,
  })
  const stop = async () => {
    server.child.kill('SIGTERM')
    await server.ended
    await devnet.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const [, url = ''] = await server.says(/^ready (http:\S+)$/m)
    return { devnet, url, server: server.child, folder, logs: server.output, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
