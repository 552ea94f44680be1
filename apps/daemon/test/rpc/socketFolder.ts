import { linkSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RpcLog } from '../../src/rpc/answerMessage.ts'

/** A new folder of this user, and the path of a socket in it. */
export function createSocketFolder(): { folder: string; path: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'fq-'))
  return { folder, path: join(folder, 'service.sock'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Leaves a socket at the path on which nothing listens, like a daemon that was killed. */
export async function leaveStaleSocket(path: string): Promise<void> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(`${path}.soon`, listening))
  linkSync(`${path}.soon`, path)
  await new Promise((closed) => server.close(closed))
}

/** A log that keeps its entries. */
export function createListLog(): RpcLog & {
  entries: { level: string; facts: Record<string, unknown>; message: string }[]
} {
  const entries: { level: string; facts: Record<string, unknown>; message: string }[] = []
  const at = (level: string) => (facts: Record<string, unknown>, message: string) => {
    entries.push({ level, facts, message })
  }
  return { entries, debug: at('debug'), info: at('info'), error: at('error') }
}
