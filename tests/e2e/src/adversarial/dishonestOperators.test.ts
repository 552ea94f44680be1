import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RfqId } from '@firmquote/core'
import { ServiceClient } from '@firmquote/sdk'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { startDaemon } from '@firmquote/test-support/startDaemon'
import { programOf, startingEnvironment, startProgram } from '@firmquote/test-support/startProgram'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { encodeRecord, formatKey, keyTypes, openEntry, parseKey } from '@firmquote/verify'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Hex, hexToBytes } from 'viem'
import { startHttpWitness } from '../../../../apps/server/test/httpWitness.ts'
import { createNoteSigner } from '../../../../packages/verify/test/proofFixture.ts'
import { startPlannedBacker } from '../plannedBacker.ts'
import { stopAfter } from '../stopAfter.ts'
import { type AuctionLie, auctionLies, createDishonestOperator, type Lie, notionalOf } from './dishonestOperator.ts'
import { startFalseLog } from './falseLog.ts'
import { startLyingService } from './lyingService.ts'

// Twelve dishonest operators. Behind a proxy, a real server runs honest auctions. The proxy has the server's keys, and
// shows a daemon, a borrower and monitors what the operator wants them to believe. An honest witness cosigns the log that
// the proxy shows. The clocks are real, so a promise takes its minute.

useFolder(beforeAll, afterAll)
const started = stopAfter(afterAll)

/** The seconds in which the party must notice. */
const maxSeconds = 20

/** When a lie became provable, and when the party that it harms noticed it, in Unix milliseconds. */
type Finding = { provableAt: number; detectedAt: number; file: string }
const findings = new Map<Lie, Promise<Finding>>()
let policy: string
let rejudging: string[]
let replayed: string

beforeAll(async () => {
  const proxy = started(await startLyingService())
  const keyFile = join(folder, 'proof.key')
  const stack = started(
    await startStack(
      {
        ...{ AUCTION_DURATION_MS: '6000', RFQS_PER_MINUTE: '1000', OPEN_RFQS: '50', PROOF_KEY_FILE: keyFile },
        ...{ READS_PER_MINUTE: '100000', PUBLIC_WS_URL: `${proxy.url.replace('http', 'ws')}/ws/rfq` },
      },
      { by: 'one' },
    ),
  )
  proxy.leadTo(stack.url)
  const failure = createDeferred<never>()
  const deadline = setTimeout(() => failure.reject(new TypeError('Nobody noticed a lie.')), 200_000)
  const running = new AsyncDisposableStack()
  running.defer(async () => clearTimeout(deadline))
  running.defer(() => stack.servers.stop())
  running.defer(async () => void (await proxy.stop()))
  try {
    const parties = runOperators({ stack, proxy, keyFile, running, failure })
    replayed = await Promise.race([parties, failure.promise])
    await Promise.allSettled(findings.values())
  } finally {
    await running.disposeAsync()
  }
}, 300_000)

type World = {
  stack: Stack
  proxy: Awaited<ReturnType<typeof startLyingService>>
  keyFile: string
  running: AsyncDisposableStack
  /** Ends the search for lies. */
  failure: { promise: Promise<never>; reject(reason: unknown): void }
}

/** Starts all parties and lies. Each finding is a promise. @returns the hash of the quote with another's receipt. */
async function runOperators({ stack, proxy, keyFile, running, failure }: World): Promise<string> {
  const { devnet } = stack
  const { log: seed, receipts: receiptKey } = JSON.parse(readFileSync(keyFile, 'utf8')) as Record<string, Hex>
  const { origin, key } = await readLog(stack.url)
  const signer = createNoteSigner(origin, keyTypes.log, hexToBytes(seed as Hex))
  const witness = await startHttpWitness(async () => parseKey(key))
  const log = await startFalseLog(signer)
  for (const one of [witness, log]) running.defer(async () => void (await one.stop()))
  policy = join(folder, 'policy.json')
  writeFileSync(policy, JSON.stringify({ log: key, witnesses: [formatKey(witness.key)], quorum: 1 }))

  const results = new Map(auctionLies.map((lie) => [lie, createDeferred<RfqId>()]))
  const secretOf = (lie: AuctionLie) => results.get(lie)?.promise ?? Promise.reject(new TypeError(lie))
  const operator = createDishonestOperator({
    ...{ stack, signer, receiptKey: receiptKey as Hex, witness, log, secretOf },
    maker: devnet.backers[0].address,
  })
  Object.assign(proxy.lies, operator.lies)
  const find = (lie: Lie, detect: () => Promise<string>) => {
    const noticed = async () => {
      const file = await detect()
      const detectedAt = Date.now()
      return { provableAt: Number(await operator.provableAt(lie)), detectedAt, file }
    }
    const finding = Promise.race([noticed(), failure.promise])
    finding.catch(() => {})
    findings.set(lie, finding)
  }

  const run = async (chosen: readonly AuctionLie[]) => {
    const { chainId, contracts } = devnet
    const client = new ServiceClient({
      ...{ orderbookUrl: stack.url, chainId, quoteMarketAddress: contracts.quoteMarket },
      interestRatePoolAddress: contracts.interestRatePool,
    })
    const ask = async (lie: AuctionLie) => {
      const { rfqId } = await client.requestQuotes({ ...stack.series, notional: notionalOf(lie) })
      results.get(lie)?.resolve(rfqId)
    }
    await Promise.all(chosen.map(ask))
  }

  await operator.publish()
  const stopped = new AbortController()
  const publishing = (async () => {
    for (;;) {
      await sleep(500, undefined, { signal: stopped.signal })
      await operator.publish()
    }
  })().catch((error: unknown) => failure.reject(error))
  running.defer(async () => {
    stopped.abort()
    await publishing
  })

  const daemon = startDaemon(
    { ...stack, url: proxy.url },
    {
      ...{ account: devnet.backers[0], folder: join(folder, 'maker'), spreadBps: 20 },
      settings: { proofs: { witnesses: [formatKey(witness.key)] } },
    },
  )
  running.defer(() => daemon.stop())
  const rival = await startPlannedBacker(proxy.url, devnet.backers[1], { aprBps: 900n, delayMs: 500 })
  running.defer(async () => rival.stop())
  const monitor = startMonitor('monitor', proxy.url)
  running.defer(() => monitor.stop())
  await Promise.all([daemon.says(/checking receipts/), monitor.says(/"witnesses":\[\{/)])

  const logged = async (pattern: string) => JSON.parse((await daemon.says(new RegExp(`^.*${pattern}.*$`, 'm')))[0])
  const broken = async (lie: AuctionLie): Promise<string> =>
    (await logged(`"rfqId":"${await operator.idOf(lie)}".*broke a promise`)).file
  for (const lie of ['drop', 'reorder', 'alter'] as const) find(lie, () => broken(lie))
  find('late', async () => {
    const file = await broken('late')
    operator.closeLate()
    return file
  })
  find('refusal', async () => (await logged(`"rfqId":"${await operator.idOf('refusal')}".*proof of a refusal`)).file)
  find('replay', async () => {
    await logged(`RECEIPT_INVALID.*"rfqId":"${await operator.idOf('replay')}"`)
    return ''
  })
  find('fork', async () => (await logged('LOG_FORKED.*"file"')).file)
  const alarmed = async (at: typeof monitor, pattern: string) =>
    JSON.parse((await at.says(new RegExp(`^.*"alarm".*${pattern}.*$`, 'm')))[0]).alarm.file
  find('never', async () => alarmed(monitor, `UNCLOSED.*${await operator.idOf('never')}`))
  for (const lie of ['ranking', 'best'] as const) {
    find(lie, async () => {
      await operator.provableAt(lie)
      const file = join(folder, `${lie}.json`)
      const args = ['proof', await secretOf(lie), '--url', proxy.url, '--output', file]
      const { ended } = startProgram(programOf('cli'), args, {})
      expect(await ended).toBe(1)
      return file
    })
  }

  await run(auctionLies.filter((lie) => lie !== 'refusal' && lie !== 'replay'))
  await run(['refusal', 'replay'])
  writeFileSync(join(folder, 'quote.json'), JSON.stringify(await operator.refused))
  rejudging = [
    ...['--rpc', devnet.rpcUrl, '--quote', join(folder, 'quote.json'), '--chain-id', String(devnet.chainId)],
    ...['--quote-market', devnet.contracts.quoteMarket, '--interest-rate-pool', devnet.contracts.interestRatePool],
  ]
  operator.fork()

  const invented = {
    ...({ publicRfqId: `0x${'1d'.repeat(16)}`, openLeaf: `0x${'2d'.repeat(32)}` } as const),
    ...{ openedAt: BigInt(Date.now() - 120_000), closesAt: BigInt(Date.now() + 3_600_000) },
  }
  log.append(encodeRecord(openEntry.kind, openEntry.layout, invented))
  operator.nowProvable('backdate')
  find('backdate', () => alarmed(monitor, 'BACKDATED'))

  const second = await startFalseLog(signer)
  running.defer(() => second.stop())
  for (const entry of operator.honestEntries) second.append(entry)
  second.publish(second.sign())
  const follower = startMonitor('follower', second.url)
  running.defer(() => follower.stop())
  await follower.says(/"type":"checkpoint"/)
  second.rewrite(1, encodeRecord(openEntry.kind, openEntry.layout, invented))
  second.publish(second.sign())
  operator.nowProvable('rewrite')
  find('rewrite', () => alarmed(follower, 'FORK'))
  return operator.replayed
}

async function readLog(url: string): Promise<{ origin: string; key: string }> {
  const { proofs } = (await (await fetch(`${url}/api/v1/config`)).json()) as { proofs: { origin: string; key: string } }
  return proofs
}

function startMonitor(name: string, url: string) {
  const own = join(folder, name)
  mkdirSync(own)
  const args = ['monitor', url, '--json', '--state', join(own, 'state.json'), '--proofs', join(own, 'proofs')]
  return startProgram(programOf('cli'), [...args, '--policy', policy], {})
}

/** Verifies a file in another process and folder, which have nothing but the file and the policy. */
async function verifyElsewhere(file: string, more: readonly string[] = []) {
  const cwd = mkdtempSync(join(folder, 'elsewhere-'))
  copyFileSync(file, join(cwd, 'proof.json'))
  copyFileSync(policy, join(cwd, 'policy.json'))
  const args = ['verify', 'proof.json', '--policy', 'policy.json', '--json', ...more]
  const env = { PATH: process.env['PATH'], ...startingEnvironment() }
  return new Promise<{ code: number; verdict: unknown }>((resolve) => {
    execFile(process.execPath, [programOf('cli'), ...args], { cwd, env }, (error, out) =>
      resolve({ code: Number(error?.code ?? 0), verdict: JSON.parse(out) }),
    )
  })
}

async function found(lie: Lie): Promise<Finding> {
  const finding = await (findings.get(lie) ?? Promise.reject(new TypeError(`${lie} did not run.`)))
  const seconds = (finding.detectedAt - finding.provableAt) / 1_000
  process.stdout.write(`${lie}: detected ${seconds.toFixed(1)} s after it became provable\n`)
  expect(seconds).toBeLessThanOrEqual(maxSeconds)
  return finding
}

const proves = (type: string, code: string) => ({
  code: 0,
  verdict: {
    isValid: true,
    type,
    statements: expect.arrayContaining([expect.objectContaining({ code, isProved: true })]),
  },
})

describe('a dishonest operator', () => {
  test.each([
    ['drops a quote after its acknowledgement', 'drop', 'omission', 'omitted'],
    ['reorders quotes', 'reorder', 'omission', 'omitted'],
    ['alters a quote', 'alter', 'omission', 'omitted'],
    // Provable once a witness saw the log at mergeBy, whether or not the close follows.
    ['closes an auction late', 'late', 'unclosed', 'unclosed'],
    ['never closes an auction', 'never', 'overdue', 'unclosed'],
    ['shows a witness two histories', 'fork', 'fork', 'fork'],
    ['rewrites a tile and signs it', 'rewrite', 'fork', 'fork'],
    ['backdates an opening', 'backdate', 'backdated', 'backdated'],
  ] as const)('error: %s', async (_, lie, type, code) => {
    const { file } = await found(lie)
    expect(await verifyElsewhere(file)).toMatchObject(proves(type, code))
  })

  test.each([
    ['ranks quotes wrongly', 'ranking', 'The ranking does not follow from the quotes.'],
    ['chooses other quotes as the best', 'best', 'The best quotes do not follow from the quotes.'],
  ] as const)('error: %s', async (_, lie, reason) => {
    const { file } = await found(lie)
    expect(await verifyElsewhere(file)).toEqual({ code: 1, verdict: { isValid: false, reason, cause: 'breach' } })
  })

  test('error: refuses a good quote', async () => {
    const { file } = await found('refusal')
    expect(await verifyElsewhere(file)).toMatchObject(proves('refusal', 'refused'))
    const { verdict } = await verifyElsewhere(file, rejudging)
    const wrong = { isProved: true, text: expect.stringContaining('the service was wrong to refuse it') }
    expect(verdict).toMatchObject({ statements: expect.arrayContaining([expect.objectContaining(wrong)]) })
  })

  // The service signed nothing about the quote: its acknowledgement is no signature. The maker notices, but has no proof.
  test('error: sends the receipt of another quote', async () => {
    await found('replay')
    const kept = readdirSync(join(folder, 'maker/data/proofs'))
    expect(kept.filter((name) => name.includes(replayed))).toEqual([])
    expect(kept).not.toEqual([])
  })
})
