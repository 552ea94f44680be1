import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startDevnet } from '@firmquote/devnet'
import { type Program, startProgram } from '@firmquote/test-support/startProgram'
import { rounds, seed } from '@firmquote/test-support/trial'
import {
  closeEntry,
  decodeEntries,
  formatKey,
  hashLeaf,
  openEntry,
  parseKey,
  rootOf,
  tilePath,
  verifyCheckpoint,
  verifyProof,
} from '@firmquote/verify'
import { afterAll, expect, test } from '@jest/globals'
import { auditEntry, createAudit, type Finding, findUnclosed, timeOf } from '../../../cli/src/proofs/auditLog.ts'
import { startHttpWitness } from '../../test/httpWitness.ts'
import { createRandomInteger } from '../../test/randomQuotes.ts'
import { waitUntil } from '../../test/waitUntil.ts'

// A server that opens and closes auctions is killed with SIGKILL again and again, while a monitor reads each of its
// checkpoints, and a witness signs them. Each process starts with another wrong clock, every third with one that was set
// back by minutes, which is stepped by an hour while it runs. All checkpoints must be of one history, every opening must
// get a close, every proof must be valid, and a monitor must find nothing.

const kills = 8 * rounds
/** Largest error of the machine's clock at a start, in milliseconds. A witness's signature may differ by 20 s. */
const maxErrorMs = 15_000
/** How far the machine's clock is set back at every third start, in milliseconds. */
const setBackMs = 300_000
/** The step of the clock in a running process, in milliseconds. */
const stepMs = 3_600_000
const main = fileURLToPath(new URL('../main.ts', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'firmquote-proof-log-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test(
  `behavior: killed ${kills} times, a server continues one log`,
  async () => {
    const random = createRandomInteger(seed)
    const devnet = await startDevnet()
    const [pool] = devnet.pools
    const request = JSON.stringify({
      poolId: pool.poolId,
      seriesKey: pool.series[1]?.seriesKey,
      notional: '2000000000',
    })
    const notes = new Set<string>()
    const auctions = new Set<string>()
    const running = new Set<Program>()
    let url = ''
    let [starts, steps] = [0, 0]
    const readLog = async () =>
      parseKey((JSON.parse(await text('/api/v1/config')) as { proofs: { key: string } }).proofs.key)
    const witness = await startHttpWitness(readLog)

    const start = async (): Promise<Program> => {
      starts += 1
      const error = starts % 3 === 0 ? -setBackMs : random(2 * maxErrorMs + 1) - maxErrorMs
      const step = random(2) === 0 ? stepMs : -stepMs
      const environment = {
        WITNESSES: `${formatKey(witness.key)}@${witness.url}`,
        ...{ PORT: '0', RPC_URL: devnet.rpcUrl, DATA_DIR: directory, AUCTION_DURATION_MS: '700' },
        ...{ PUBLIC_WS_URL: 'wss://rfq.example.com/ws/rfq', LOG_LEVEL: 'error' },
        ...{ RFQS_PER_MINUTE: '1000000', OPEN_RFQS: '10000', OPEN_AUCTIONS: '10000', READS_PER_MINUTE: '100000000' },
        ...{ HEAD_DEGRADED_SECONDS: '360000', HEAD_STALE_SECONDS: '360000' },
      }
      const program = startProgram(main, [], environment, ['--import', wrongClock(error, step)])
      running.add(program)
      url = (await program.says(/^ready (http:\/\/\S+)$/m))[1] ?? ''
      return program
    }
    const text = async (path: string) => (await fetch(`${url}${path}`)).text()
    const bytes = async (path: string) => new Uint8Array(await (await fetch(`${url}${path}`)).arrayBuffer())
    const openAuction = async () => {
      const stream = await fetch(`${url}/api/v1/rfq/quote/stream`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: request,
      })
      for await (const chunk of stream.body ?? []) {
        const [, rfqId] = /"rfqId":"([0-9a-f]{32})"/.exec(Buffer.from(chunk).toString()) ?? []
        if (rfqId !== undefined) auctions.add(rfqId)
      }
    }

    try {
      for (let kill = 0; kill < kills; kill += 1) {
        const program = await start()
        const end = performance.now() + 300 + random(2_500)
        const stepsAt = performance.now() + random(2_500)
        let isStepped = false
        const streams: Promise<void>[] = []
        while (performance.now() < end) {
          // The connection breaks with the kill.
          streams.push(openAuction().catch(() => {}))
          notes.add(await text('/log/1/checkpoint'))
          if (!isStepped && performance.now() >= stepsAt) {
            isStepped = program.child.kill('SIGUSR2')
            steps += 1
          }
          await sleep(random(40))
        }
        program.child.kill('SIGKILL')
        await program.ended.catch(() => {})
        await Promise.all(streams)
      }
      await start()
      const log = await readLog()
      const newest = async () => verifyCheckpoint(await text('/log/1/checkpoint'), { log })
      const readEntries = async () => {
        const { size } = await newest()
        const entries: Uint8Array[] = []
        while (entries.length < size) {
          const width = Math.min(256, size - entries.length)
          const path = tilePath({ level: 'entries', index: entries.length / 256, width })
          entries.push(...decodeEntries(await bytes(`/log/1/${path}`), width))
        }
        return entries
      }
      const idsOf = (entries: readonly Uint8Array[], { kind }: { kind: number }) =>
        entries.filter(([first]) => first === kind).map((entry) => Buffer.from(entry.subarray(1, 17)).toString('hex'))
      await waitUntil(async () => {
        const entries = await readEntries()
        return idsOf(entries, openEntry).length === idsOf(entries, closeEntry).length
      })
      notes.add(await text('/log/1/checkpoint'))

      const entries = await readEntries()
      const [opened, closed] = [idsOf(entries, openEntry), idsOf(entries, closeEntry)]
      expect(new Set(opened).size).toBe(opened.length)
      expect([...closed].sort()).toEqual([...opened].sort())
      expect(opened.length).toBeGreaterThanOrEqual(auctions.size)
      const hashes = entries.map(hashLeaf)
      const findings: Finding[] = []
      const audit = createAudit()
      for (const note of notes) {
        const checkpoint = await verifyCheckpoint(note, { log, witnesses: [witness.key] })
        const { size, root } = checkpoint
        expect([size, rootOf(hashes.slice(0, size))]).toEqual([size, root])
        // The notes are in the order in which they were read.
        for (const entry of entries.slice(audit.position, size)) findings.push(...one(auditEntry(audit, entry)))
        const time = timeOf(checkpoint, { witnesses: 1, quorum: 1 }, audit)
        if (time) findings.push(...findUnclosed(audit, time))
      }
      expect({ findings, suspicions: witness.world.suspicions }).toEqual({ findings: [], suspicions: [] })
      for (const rfqId of auctions) {
        expect(await verifyProof(await text(`/api/v1/rfq/${rfqId}/proof`), { log })).toMatchObject({ isValid: true })
      }
      process.stdout.write(
        `proofLog.trial: ${kills} kills, ${opened.length} auctions, ${notes.size} checkpoints, ${steps} clock steps, --seed ${seed}\n`,
      )
      expect(auctions.size).toBeGreaterThan(kills)
      expect(notes.size).toBeGreaterThan(kills)
      expect(audit.witnessedAt).toBeGreaterThan(0)
      expect(steps).toBeGreaterThan(0)
    } finally {
      for (const { child } of running) child.kill('SIGKILL')
      await witness.stop()
      await devnet.stop()
    }
  },
  60_000 + 30_000 * kills,
)

/** A module that makes a process's wall clock wrong by `error`, and steps it by `step` at SIGUSR2. */
function wrongClock(error: number, step: number): string {
  const code = `const { now } = Date; let shift = ${error}; Date.now = () => now() + shift;`
  return `data:text/javascript,${code} process.on('SIGUSR2', () => { shift += ${step} })`
}

function one<T>(found: T | null): T[] {
  return found === null ? [] : [found]
}
