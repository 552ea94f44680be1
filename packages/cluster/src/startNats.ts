import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findNats } from './findPrograms.ts'
import { freePort } from './freePort.ts'
import { listens } from './listens.ts'
import { createService } from './ownProcess.ts'

/** A NATS on 127.0.0.1, which starts again on the same port. */
export type Nats = Awaited<ReturnType<typeof startNats>>

/**
 * Starts `nats-server` with a token of its own.
 *
 * @throws {Error} when there is none, or it does not start; the message has what it wrote.
 */
export async function startNats({ folder }: { folder: string }) {
  const file = findNats()
  if (!file) throw new Error('There is no nats-server on this machine.')
  const port = await freePort()
  const token = randomBytes(16).toString('hex')
  const configuration = join(folder, 'nats.conf')
  mkdirSync(folder, { recursive: true })
  writeFileSync(configuration, `host: 127.0.0.1\nport: ${port}\nauthorization { token: "${token}" }\n`, { mode: 0o600 })
  const service = createService('NATS', { file, args: ['-c', configuration], cwd: folder }, () => listens(port))
  await service.start()
  return {
    ...service,
    /** Its address, with the token that it asks for. */
    url: `nats://${token}@127.0.0.1:${port}`,
    port,
    stop: () => service.process().kill('SIGKILL'),
  }
}
