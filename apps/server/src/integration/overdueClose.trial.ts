import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startDevnet } from '@firmquote/devnet'
import { type Program, startProgram } from '@firmquote/test-support/startProgram'
import { closeEntry, formatKey, type NoteKey, parseKey, verifyCheckpoint } from '@firmquote/verify'
import { afterAll, expect, test } from '@jest/globals'
import { startHttpWitness } from '../../test/httpWitness.ts'

// A server is killed while an auction is open, and starts again after the auction's promise has ended. A witness signs
// whatever the server asks for. None of its signatures may show that the auction was not closed in time.

const main = fileURLToPath(new URL('../main.ts', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'firmquote-overdue-'))
const running = new Set<Program>()
afterAll(() => {
  for (const { child } of running) child.kill('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
})

test('behavior: after an outage beyond mergeBy, the first checkpoint that a witness signs has the close', async () => {
  const devnet = await startDevnet()
  let log: NoteKey | undefined
  const witness = await startHttpWitness(async () => log as NoteKey)
  try {
    const [pool] = devnet.pools
    let url = ''
    const start = async (): Promise<Program> => {
      const program = startProgram(main, [], {
        ...{ PORT: '0', RPC_URL: devnet.rpcUrl, DATA_DIR: directory, AUCTION_DURATION_MS: '2000' },
        ...{ PUBLIC_WS_URL: 'wss://rfq.example.com/ws/rfq', LOG_LEVEL: 'error' },
        ...{ WITNESSES: `${formatKey(witness.key)}@${witness.url}`, READS_PER_MINUTE: '100000' },
        ...{ HEAD_DEGRADED_SECONDS: '360000', HEAD_STALE_SECONDS: '360000' },
      })
      running.add(program)
      url = (await program.says(/^ready (http:\/\/\S+)$/m))[1] ?? ''
      return program
    }
    const text = async (path: string) => (await fetch(`${url}${path}`)).text()
    const program = await start()
    log = parseKey((JSON.parse(await text('/api/v1/config')) as { proofs: { key: string } }).proofs.key)
    const policy = { log, witnesses: [witness.key] }
    const newest = async () => verifyCheckpoint(await text('/log/1/checkpoint'), policy)

    const stream = await fetch(`${url}/api/v1/rfq/quote/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ poolId: pool.poolId, seriesKey: pool.series[1]?.seriesKey, notional: '2000000000' },
      }),
    })
    const first = await stream.body?.getReader().read()
    const [, ends] = /"closesAt":(\d+)/.exec(Buffer.from(first?.value ?? []).toString()) ?? []
    const mergeBy = Math.ceil(Number(ends) / 1_000) + 60
    // The opening is published before the kill: key, OPEN.
    while ((await newest()).size < 2) await sleep(20)
    program.child.kill('SIGKILL')
    await program.ended.catch(() => {})
    await sleep(mergeBy * 1_000 + 1_000 - Date.now())

    await start()
    const late: number[] = []
    for (let checkpoint = await newest(); late.length === 0; checkpoint = await newest()) {
      if (checkpoint.witnesses.some(({ time }) => time >= mergeBy)) late.push(checkpoint.size)
      else await sleep(5)
    }
    const entries = await fetch(`${url}/log/1/tile/entries/000.p/3`)
    const last = new Uint8Array(await entries.arrayBuffer()).subarray(-closeEntryBytes)
    expect(last[0]).toBe(closeEntry.kind)
    expect(late).toEqual([3])
  } finally {
    await witness.stop()
    await devnet.stop()
  }
}, 150_000)

/** The size of a close's entry: its kind, id, time, count and root. */
const closeEntryBytes = 1 + 16 + 8 + 4 + 32
