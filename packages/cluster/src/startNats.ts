import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findNats } from './findPrograms.ts'
import { freePort } from './freePort.ts'
import { isListening } from './isListening.ts'
import { createService } from './managedProcess.ts'

/** A NATS server on 127.0.0.1 that keeps its port across restarts. */
export type Nats = Awaited<ReturnType<typeof startNats>>

/**
 * Starts `nats-server` with a random token.
 *
 * @throws {Error} if it is not installed or does not start. The message includes its output.
 */
export async function startNats({ folder }: { folder: string }) {
  const file = findNats()
  if (!file) throw new Error('nats-server is not installed.')
  const port = await freePort()
  const token = randomBytes(16).toString('hex')
  const configuration = join(folder, 'nats.conf')
  mkdirSync(folder, { recursive: true })
  writeFileSync(configuration, `host: 127.0.0.1\nport: ${port}\nauthorization { token: "${token}" }\n`, { mode: 0o600 })
  const service = createService('NATS', { file, args: ['-c', configuration], cwd: folder }, () => isListening(port))
  await service.start()
  return {
    ...service,
    /** URL, including the token. */
    url: `nats://${token}@127.0.0.1:${port}`,
    port,
    stop: () => service.process().kill('SIGKILL'),
  }
}
