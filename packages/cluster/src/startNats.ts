import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findNats } from './findPrograms.ts'
import { freePort } from './freePort.ts'
import { listens } from './listens.ts'
import { type OwnProcess, startOwnProcess } from './ownProcess.ts'

/** A NATS of one's own, on 127.0.0.1. */
export type Nats = {
  /** Its address, with the token that it asks for. */
  url: string
  port: number
  process(): OwnProcess
  /** Starts it again on the same port, after it was stopped or killed. */
  start(): Promise<void>
  stop(): Promise<void>
}

const startLimitMs = 10_000

/**
 * Starts `nats-server` with a token of its own.
 *
 * @throws {Error} when there is none, or it does not start; the message has what it wrote.
 */
export async function startNats({ folder, port: given }: { folder: string; port?: number }): Promise<Nats> {
  const program = findNats()
  if (!program) throw new Error('There is no nats-server on this machine.')
  const port = given ?? (await freePort())
  const token = randomBytes(16).toString('hex')
  const configuration = join(folder, 'nats.conf')
  mkdirSync(folder, { recursive: true })
  writeFileSync(configuration, `host: 127.0.0.1\nport: ${port}\nauthorization { token: "${token}" }\n`, { mode: 0o600 })
  let running: OwnProcess | null = null

  const start = async () => {
    const own = startOwnProcess(program, ['-c', configuration], {}, folder)
    running = own
    let hasEnded = false
    void own.ended.then(() => {
      hasEnded = true
    })
    for (const end = Date.now() + startLimitMs; !(await listens(port)); await sleep(20)) {
      if (hasEnded || Date.now() > end) throw new Error(`NATS has not started:\n${own.output()}`)
    }
  }

  await start()
  return {
    url: `nats://${token}@127.0.0.1:${port}`,
    port,
    process() {
      if (!running) throw new TypeError('NATS does not run.')
      return running
    },
    start,
    async stop() {
      await running?.kill('SIGKILL')
      running = null
    },
  }
}
