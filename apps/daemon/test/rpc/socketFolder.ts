import { linkSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
