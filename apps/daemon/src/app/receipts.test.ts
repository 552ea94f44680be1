import {
  acceptedLeaf,
  closeEntry,
  encodeRecord,
  formatKey,
  hashLeaf,
  inclusionPath,
  openEntry,
  parseKey,
  rootOf,
  toBase64,
  verifyCheckpoint,
  verifyProof,
} from '@firmquote/verify'
import { afterEach, describe, expect, test } from '@jest/globals'
import { bytesToHex } from 'viem'
import { createLog } from '../../../../packages/verify/test/proofFixture.ts'
import { type ProofReads, startDaemonHarness, until } from '../../test/daemonHarness.ts'
import type { AlertNotice } from '../ports/alertHook.ts'
import type { Daemon } from './createDaemon.ts'

let end: () => Promise<void> = async () => {}
afterEach(() => end())

const leaf = hashLeaf(Uint8Array.of(7))

/** Waits until the metrics have a line. */
async function shows(daemon: Daemon, line: string): Promise<void> {
  while (!(await daemon.metrics()).includes(`firmquote_daemon_${line}\n`)) {
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** A daemon whose service keeps a log. The test decides what the log has. */
async function start() {
  const log = createLog()
  const files = new Map<string, string>()
  const notices: AlertNotice[] = []
  const state = {
    hookFails: false,
    hashes: [] as Uint8Array[],
    close: null as number | null,
    cosignedAt: 0,
    key: formatKey(log.log.key),
    /** Keys with which the daemon read the log. */
    keys: new Set<string>(),
  }
  const reads: Partial<ProofReads> = {
    readLogSettings: async () => ({ origin: log.origin, url: '/log/1', key: state.key, promiseSeconds: 60 }),
    openLog: ({ key }) => ({
      checkpoint: () => {
        state.keys.add(key)
        return verifyCheckpoint(log.checkpoint(state.cosignedAt), { log: parseKey(key) })
      },
      entries: async (from, to) => log.entries.slice(from, to),
      inclusionPath: async (index, { size }) => inclusionPath(log.hashes.slice(0, size), index),
    }),
    readAuction: async () => ({ open: 1, close: state.close, hashes: state.hashes.map(toBase64) }),
  }
  const harness = await startDaemonHarness(
    {
      witnesses: [formatKey(log.witness.key)],
      proofFiles: { save: async (name, text) => files.set(name, text) && `/proofs/${name}` },
      alertHook: {
        timeoutMs: 1_000,
        async call(notice) {
          if (state.hookFails) throw new TypeError('The pager is down.')
          notices.push(notice)
        },
      },
    },
    reads,
  )
  end = harness.end
  const { clock, world, maker } = harness
  const has = (message: string) => () => harness.logged.some((entry) => entry.message === message)
  await until(has('checking receipts'))
  return {
    ...{ log, files, notices, state, has },
    ...harness,
    /** Answers an RFQ, and delivers the receipt of its quote. */
    async quote() {
      const { rfqId } = harness.ask()
      const before = world.submitted.length
      await until(() => world.submitted.length > before)
      const hash = world.submitted.at(-1)?.hash ?? '0x'
      const publicRfqId = `0x${rfqId}` as const
      const times = { openedAt: BigInt(clock.now()), closesAt: BigInt(clock.now()) }
      log.append(encodeRecord(openEntry.kind, openEntry.layout, { publicRfqId, ...times, openLeaf: bytesToHex(leaf) }))
      const promise = { publicRfqId, hash, maker: maker.toLowerCase() as typeof maker, receivedAt: times.openedAt }
      const record = encodeRecord(acceptedLeaf.kind, acceptedLeaf.layout, {
        ...promise,
        seq: 1,
        leaf: bytesToHex(leaf),
      })
      const mergeBy = Math.ceil(clock.now() / 1_000) + 60
      const [receipt] = await log.receipts([record], mergeBy)
      if (!receipt) throw new TypeError('There is no receipt.')
      harness.deliverReceipt({ type: 'receipt', rfqId, hash, receipt })
      await shows(harness.daemon, 'receipts_total 1')
      return {
        ...{ hash, mergeBy },
        /** Closes the auction without the quote. */
        omit() {
          state.hashes = [leaf, hashLeaf(Uint8Array.of(8)), leaf]
          const root = bytesToHex(rootOf(state.hashes))
          const entry = { publicRfqId, closedAt: times.closesAt, count: 3, root }
          state.close = log.append(encodeRecord(closeEntry.kind, closeEntry.layout, entry))
        },
      }
    },
    /** Runs the checks of a time span. */
    async pass(seconds: number) {
      for (let left = seconds; left > 0; left -= 15) {
        clock.advance(15_000)
        for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      }
    },
    policy: { log: log.log.key, witnesses: [log.witness.key], quorum: 1 },
  }
}

describe('receipts', () => {
  test('error: a broken promise is logged once, saved, counted and reported to the hook until it answers', async () => {
    const { quote, state, files, notices, pass, logged, policy, daemon, maker } = await start()
    const { hash, omit } = await quote()
    omit()
    state.hookFails = true
    await pass(75)
    const name = `omission-${hash}.json`
    await until(() => files.has(name))
    expect(await verifyProof(files.get(name) ?? '', policy)).toMatchObject({ isValid: true })
    state.hookFails = false
    while (notices.length === 0) await pass(60)
    expect(notices).toEqual([
      {
        ...{ event: 'alert', maker, code: 'PROMISE_BROKEN', token: null, file: `/proofs/${name}` },
        message: expect.stringContaining(hash),
      },
    ])
    expect(logged.filter(({ message }) => message === 'the service broke a promise')).toHaveLength(1)
    await shows(daemon, 'promises_total{result="broken"} 1')
  })

  test('behavior: open receipts survive kill -9', async () => {
    const harness = await start()
    const { omit, hash } = await harness.quote()
    omit()
    await harness.restart()
    await harness.pass(90)
    await until(() => harness.files.has(`omission-${hash}.json`))
  })

  test('behavior: a log without fresh checkpoints is an alert, not a breach', async () => {
    const { quote, state, pass, control, notices, files } = await start()
    const { mergeBy } = await quote()
    state.cosignedAt = mergeBy - 1
    await pass(600)
    const codes = async () => (await control.status()).alerts?.map(({ code }) => code) ?? []
    while (!(await codes()).includes('LOG_STALE')) await pass(15)
    expect([notices.map(({ code }) => code), files.size]).toEqual([['LOG_STALE'], 0])
    state.cosignedAt = mergeBy
    while (files.size === 0) await pass(600)
    expect([...files.keys()]).toEqual([expect.stringMatching(/^unclosed-/)])
    while ((await codes()).length > 0) await pass(15)
  })

  test('error: another key of the same log is reported, and not used', async () => {
    const { log, quote, restart, has, state, pass } = await start()
    await quote()
    state.key = formatKey({ ...log.log.key, publicKey: log.witness.key.publicKey })
    await restart()
    await until(has('the service changed the key of its log'))
    await pass(90)
    expect([...state.keys]).toEqual([formatKey(log.log.key)])
  })

  test('behavior: a service without a log is told once', async () => {
    const harness = await startDaemonHarness({ proofFiles: { save: async () => '' } })
    end = harness.end
    const told = () => harness.logged.filter(({ message }) => message.startsWith('the service keeps no log'))
    await until(() => told().length > 0)
    harness.clock.advance(15_000)
    await new Promise((resolve) => setImmediate(resolve))
    expect(told()).toHaveLength(1)
    harness.ask()
    await until(() => harness.world.submitted.length === 1)
  })
})
