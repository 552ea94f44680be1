import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { type Servers, startServers } from './startServers.ts'

/** A chain and a server on it, all real processes on ports of their own; instances of a cluster if the run asks for them. */
export type Stack = Pick<Servers, 'url' | 'logs'> & {
  devnet: Devnet
  /** Stops each server between two instructions, until `resume`. */
  pause(): void
  resume(): void
  /** For whatever a test writes; gone with the stack. */
  folder: string
  stop(): Promise<void>
}

/** Starts a devnet and `firmquote-server` on it; `environment` is added to the server's. */
export async function startStack(environment: Record<string, string> = {}): Promise<Stack> {
  const devnet = await startDevnet()
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-stack-'))
  let servers: Servers | undefined
  const stop = async () => {
    await servers?.stop()
    await devnet.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const settings = {
      RPC_URL: devnet.rpcUrl,
      // This chain mines on transactions only, so its newest block may be old.
      HEAD_DEGRADED_SECONDS: '36000',
      HEAD_STALE_SECONDS: '36000',
      ...environment,
    }
    servers = await startServers(settings, { proxied: true })
    const { url, logs, signal } = servers
    return { devnet, url, folder, logs, pause: () => signal('SIGSTOP'), resume: () => signal('SIGCONT'), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
