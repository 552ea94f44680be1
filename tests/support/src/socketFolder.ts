import { linkSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a private folder and a socket path in it. */
export function createSocketFolder(): { folder: string; path: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'fq-'))
  return { folder, path: join(folder, 'service.sock'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Leaves a stale socket at the path, as a killed process would. */
export async function leaveStaleSocket(path: string): Promise<void> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(`${path}.soon`, listening))
  linkSync(`${path}.soon`, path)
  await new Promise((closed) => server.close(closed))
}
