import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { deserializeSignedQuote, type QuoteStatusMessage, quoteMarketAbi } from '@firmquote/core'
import type { DevnetAccount } from '@firmquote/devnet'
import { cancelQuoteParameters, raiseNonceParameters, ServiceClient, takeQuoteParameters } from '@firmquote/sdk'
import { type DaemonProcess, startDaemon } from '@firmquote/test-support/startDaemon'
import { rounds, seed } from '@firmquote/test-support/trial'
import { until } from '@firmquote/test-support/until'
import { afterEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { askedNotional, seriesOf, startCrashFixture } from './crashFixture.ts'
import { arrayOf, draw, playRound } from './rounds.ts'
import { type ChainCall, type ChainTruth, createStatusChain } from './statusChain.ts'
import { createStatusMaker, type KnownQuote, type StatusMaker } from './statusMaker.ts'
import { stopAfter } from './stopAfter.ts'

// Tests makers' quote status updates, with a server, a daemon with a hook, a node, and 20 makers that use the SDK. Each
// round adds 50 quotes, some published and others submitted to an auction. Then, quotes are taken and cancelled, nonces
// are raised, the chain is reorganised up to a depth of 65, the server, daemon and node are killed or restarted, and
// makers are stopped and resume from their saved number. Checks the following. No maker misses a sequence number, or
// receives a number twice with different content. After each round, each quote's last update matches the chain. A fill
// is reported to its maker within one block time plus a second. The daemon's hook received exactly the fills that
// occurred on-chain. At the end, all updates are final, and a new client receives them all again.

const makerCount = 20
const publishedInRound = 29
/** Maximum depth of a reorganisation: one more than the number of block hashes the service remembers. */
const deepest = 65
/** The target chain's block time plus a second, in milliseconds. */
const sentWithinMs = 2_000 + 1_000
/** Maximum number of additional rounds to run until all cases have occurred. */
const mostMoreRounds = 3

const call = fc.record({
  do: fc.oneof(
    { weight: 40, arbitrary: fc.constant('take' as const) },
    { weight: 14, arbitrary: fc.constant('cancel' as const) },
    { weight: 3, arbitrary: fc.constant('raiseNonce' as const) },
  ),
  quote: fc.nat(),
  /** Whether to prefer an unused quote. */
  fresh: fc.constantFrom(true, true, true, false),
  borrower: fc.nat(2),
})
const blocks = fc.array(fc.array(call, { minLength: 2, maxLength: 6 }), { minLength: 1, maxLength: 3 })
/** An action. `wait` is whether to wait until all the action's fills have been reported to makers. */
const act = (wait: boolean) => fc.record({ do: fc.constant('act' as const), blocks, wait: fc.constant(wait) })
/** The same actions, plus a raised nonce that would otherwise be missing from one round in fifty. */
const raise = fc.tuple(act(true), fc.nat()).map(([{ blocks, ...rest }, quote]) => ({
  ...rest,
  blocks: [...blocks, [{ do: 'raiseNonce' as const, quote, fresh: true, borrower: 0 }]],
}))
const reorganise = (min: number, max: number) =>
  fc.record({
    do: fc.constant('reorganise' as const),
    depth: fc.integer({ min, max }),
    /** New positions of the undone transactions in the chain. */
    places: arrayOf(fc.option(fc.nat(64), { freq: 2, nil: null }), 40),
    /** Delay before the reorganisation, varied so that the undone updates may or may not have been sent by then. */
    afterMs: fc.nat(1_500),
  })
const interrupt = fc.record({
  do: fc.constantFrom('killServer' as const, 'killDaemon' as const, 'restartNode' as const),
  afterMs: fc.nat(1_200),
  meanwhile: blocks,
})
const card = fc.oneof(act(true), reorganise(1, 1), interrupt)
type Card = typeof card extends fc.Arbitrary<infer T> ? T : never
/** Makers to stop or restart before a step. A maker that stops has not saved its last `lost` numbers. */
const toggles = fc.array(fc.record({ maker: fc.nat(makerCount), lost: fc.nat(4) }), { maxLength: 3 })

/** A round's events in random order. */
const round = fc
  .tuple(
    ...[raise, ...[true, true, true, true, false, false, false, false].map(act)],
    ...[reorganise(1, 12), reorganise(1, 12), reorganise(1, 64), reorganise(deepest, deepest)],
    ...(['killServer', 'killDaemon', 'restartNode'] as const).map((what) =>
      interrupt.map((one) => ({ ...one, do: what })),
    ),
  )
  .chain((cards) => fc.shuffledSubarray<Card>(cards, { minLength: cards.length, maxLength: cards.length }))
  .chain((cards) => fc.tuple(...cards.map((one) => toggles.map((before) => ({ ...one, toggles: before })))))

const started = stopAfter(afterEach)

test(
  `behavior: for ${50 * rounds} quotes in random events, the updates that makers receive match the chain`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'firmquote-statuses-'))
    started({ stop: () => rmSync(folder, { recursive: true, force: true }) })
    const running = started(await startCrashFixture({ makers: makerCount, settings: { AUCTION_DURATION_MS: '2000' } }))
    const { devnet } = running
    const accounts = [...running.makers, devnet.backers[0]]
    const market = devnet.contracts.quoteMarket
    const nonces = new Map<Address, bigint>()
    const quotes: KnownQuote[] = []
    const untried: KnownQuote[] = []
    const counts = {
      ...{ filled: 0, cancelled: 0, nonce_raised: 0, active: 0, final: 0 },
      ...{ undone: 0, deepest: 0, shallower: 0, killServer: 0, killDaemon: 0, restartNode: 0, makersStopped: 0 },
    }
    const delays: number[] = []
    /** Fills whose updates connected makers must have by now, each with its block's time. */
    const awaited = new Map<Hex, { hash: Hex; minedAt: number }>()
    const onStatus = ({ status, transactionHash, final }: QuoteStatusMessage) => {
      counts[final ? 'final' : status] += 1
      const fill = transactionHash && awaited.get(transactionHash)
      if (status !== 'filled' || !fill) return
      awaited.delete(transactionHash)
      delays.push(Date.now() - fill.minedAt)
    }

    const addresses = accounts.map(({ address }) => address)
    const world = started(await createStatusChain(devnet, folder, addresses))
    await running.start()
    const makers = accounts.map((account, index) =>
      createStatusMaker(running, {
        account,
        answers: index < makerCount,
        nonceOf: ({ address }) => nonces.get(address) ?? 0n,
        onStatus,
      }),
    )
    for (const maker of makers) started({ stop: () => maker.stop(0) })
    const hook = await prepareHook(join(folder, 'daemon'))
    let daemon: DaemonProcess | undefined
    started({ stop: () => daemon?.stop('SIGKILL') })
    const startMaker = async () => {
      const options = { account: devnet.backers[0], folder: hook.folder, spreadBps: 20, lifetimeSeconds: 40_000 }
      daemon = startDaemon(running, { ...options, settings: hook.settings })
      await daemon.says(/^ready /m)
    }
    await startMaker()
    const client = new ServiceClient({ orderbookUrl: running.url })

    const addQuotes = async (): Promise<void> => {
      for (const { address } of accounts) {
        const nonce = { address: market, abi: quoteMarketAbi, functionName: 'nonces', args: [address] } as const
        nonces.set(address, await devnet.publicClient.readContract(nonce))
      }
      const published = Array.from({ length: publishedInRound }, async (_, index) => {
        const maker = makers[index % 5 === 0 ? makerCount : (quotes.length + index) % makerCount] as StatusMaker
        const signed = await maker.signed()
        const { hash } = await client.submitQuoteMarketQuote(signed)
        return { hash, quote: deserializeSignedQuote(signed) }
      })
      const added = await Promise.all(published)
      const { quotes: answered } = await client.requestQuotes({ ...seriesOf(running), notional: askedNotional })
      for (const { hash, quote } of [...added, ...answered]) {
        quotes.push({ hash, quote })
        untried.push({ hash, quote })
      }
    }

    const takeOf = ({ quote }: KnownQuote, taker: DevnetAccount): ChainCall => {
      const { abi, functionName, args } = takeQuoteParameters(quote)
      return { from: taker.address, to: market, data: encodeFunctionData({ abi, functionName, args }) }
    }
    const callOf = ({
      do: what,
      quote: chosen,
      fresh,
      borrower,
    }: typeof call extends fc.Arbitrary<infer T> ? T : never): ChainCall => {
      const from =
        fresh && untried.length > 0 ? untried.splice(chosen % untried.length, 1)[0] : quotes[chosen % quotes.length]
      if (!from) throw new TypeError('There are no quotes.')
      const { quote } = from
      if (what === 'take') return takeOf(from, devnet.borrowers[borrower] as DevnetAccount)
      const parameters = what === 'cancel' ? cancelQuoteParameters(quote) : raiseNonceParameters()
      return { from: quote.maker, to: market, data: encodeFunctionData(parameters) }
    }
    const mine = (given: readonly (readonly Parameters<typeof callOf>[0][])[]) =>
      world.mine(given.map((one) => one.map(callOf)))

    /** Takes one of the daemon's quotes, so that its hook is called in each round. */
    const takeOwn = async (): Promise<void> => {
      const own = untried.find(({ quote }) => quote.maker === devnet.backers[0].address)
      if (!own) throw new TypeError('The daemon has no quotes.')
      untried.splice(untried.indexOf(own), 1)
      const before = hook.calls()
      expect(await world.mine([[takeOf(own, devnet.borrowers[0])]])).toHaveLength(1)
      await untilSoon(
        () => hook.calls() > before,
        () => `the hook did not receive ${own.hash}`,
      )
    }

    const perform = async (step: Card): Promise<void> => {
      switch (step.do) {
        case 'act':
          for (const block of step.blocks) {
            const fills = await mine([block])
            const minedAt = Date.now()
            if (!step.wait) continue
            for (const { hash, transactionHash } of fills) {
              const maker = quotes.find((one) => one.hash === hash)?.quote.maker
              const listens = makers.some(({ account, isListening }) => account.address === maker && isListening())
              if (listens) awaited.set(transactionHash, { hash, minedAt })
            }
          }
          await untilSoon(
            () => awaited.size === 0,
            () => `these fills did not reach their makers: ${[...awaited.keys()]}`,
          )
          return
        case 'reorganise': {
          await sleep(step.afterMs)
          let next = 0
          counts.undone += await world.reorganise(step.depth, (depth) => {
            const place = step.places[next++ % step.places.length] ?? null
            return place === null ? null : place % depth
          })
          counts[step.depth === deepest ? 'deepest' : 'shallower'] += 1
          return
        }
        default: {
          await mine(step.meanwhile.slice(0, 1))
          await sleep(step.afterMs)
          counts[step.do] += 1
          if (step.do === 'restartNode') return world.restart()
          if (step.do === 'killServer') {
            await running.kill()
            await mine(step.meanwhile.slice(1))
            await running.start()
            return
          }
          await daemon?.stop('SIGKILL')
          await mine(step.meanwhile.slice(1))
          await startMaker()
        }
      }
    }

    /** Checks that all makers are connected and their updates match the chain. */
    const agree = async (isFinal: boolean): Promise<void> => {
      for (const maker of makers) maker.start()
      await untilSoon(
        () => makers.every(({ isListening }) => isListening()),
        () => 'not all makers reconnected',
      )
      const truth = await world.truthOf(quotes)
      const differing = () => {
        const told = new Map(makers.flatMap(({ folded }) => [...folded()]))
        return quotes.flatMap(({ hash }) => {
          const [is, was] = [truth.get(hash), told.get(hash)]
          return is && matchesChain(is, was, isFinal) ? [] : [{ hash, is, was }]
        })
      }
      await untilSoon(
        () => differing().length === 0,
        () => `makers received different statuses: ${inspect(differing().slice(0, 5))}`,
      )
      const own = quotes.filter(({ quote }) => quote.maker === devnet.backers[0].address)
      const hedges = () =>
        own.flatMap(({ hash }) => {
          const [is, notice] = [truth.get(hash), hook.last().get(hash)]
          const hedged = notice?.event === 'filled' ? [notice.block, notice.transactionHash] : []
          const filled = is?.status === 'filled' ? [is.block, is.transactionHash] : []
          return isDeepStrictEqual(hedged, filled) ? [] : [{ hash, is, notice }]
        })
      await untilSoon(
        () => hedges().length === 0,
        () => `the hook received different fills: ${inspect(hedges())}\n${daemon?.output().slice(-3_000)}`,
      )
      expect(makers.flatMap(({ faults }) => faults)).toEqual([])
    }

    for (const maker of makers) maker.start()
    await untilSoon(
      () => makers.every(({ isListening }) => isListening()),
      () => 'not all makers connected',
    )
    const least = {
      ...{ filled: 15, cancelled: 4, nonce_raised: 1, active: 4, undone: 5 },
      ...{ deepest: 1, shallower: 3, killServer: 1, killDaemon: 1, restartNode: 1, makersStopped: 5, delays: 2 },
    }
    const rare = () => {
      const met = { ...counts, delays: delays.length }
      return Object.entries(least).filter(([what, count]) => met[what as keyof typeof least] < count * rounds)
    }
    // Runs more rounds if the reorganisations affect too few fills.
    for (let number = 0; number < rounds || (rare().length > 0 && number < rounds + mostMoreRounds); number += 1) {
      await addQuotes()
      await takeOwn()
      for (const step of draw(round, seed + number, true)) {
        for (const { maker: index, lost } of step.toggles) {
          const maker = makers[index]
          if (!maker?.isListening()) maker?.start()
          else {
            maker.stop(lost)
            counts.makersStopped += 1
          }
        }
        await playRound(
          () => perform(step),
          () => `round ${number} of --seed ${seed}, ${step.do}`,
        )
      }
      await agree(false)
    }
    await world.mine(Array.from({ length: 66 }, () => []))
    await agree(true)
    for (const { known, readAll } of makers) {
      const numbers = Array.from({ length: known.size }, (_, index) => index + 1)
      expect((await readAll()).map((status) => [status.seq, status])).toEqual(
        numbers.map((seq) => [seq, known.get(seq)]),
      )
    }

    delays.sort((a, b) => a - b)
    const [median, worst] = [delays[delays.length >> 1] ?? Number.NaN, delays.at(-1) ?? Number.NaN]
    const told = makers.reduce((sum, { known }) => sum + known.size, 0)
    const figures = { quotes: quotes.length, blocks: world.height(), told, ...counts, hookCalls: hook.calls() }
    process.stdout.write(
      `quoteStatuses.trial: --seed ${seed}: ${JSON.stringify(figures)}; of ${delays.length} fills that were waited for, ` +
        `the time from the block to onQuoteStatus: median ${median} ms, worst ${worst} ms\n`,
    )
    expect(quotes.length).toBeGreaterThanOrEqual(45 * rounds)
    expect(rare()).toEqual([])
    expect(counts.final).toBeGreaterThanOrEqual(15 * rounds)
    expect(hook.calls()).toBeGreaterThanOrEqual(rounds)
    expect(worst).toBeLessThanOrEqual(sentWithinMs)
  },
  180_000 + 60_000 * (rounds + mostMoreRounds),
)

/** Whether the last update for a quote matches the chain. */
function matchesChain(truth: ChainTruth, told: QuoteStatusMessage | undefined, isFinal: boolean): boolean {
  if (truth.status === 'active') return (told?.status ?? 'active') === 'active'
  if (!told || (isFinal && !told.final)) return false
  const facts = Object.keys(truth).map((key) => [key, told[key as keyof ChainTruth]])
  return isDeepStrictEqual(Object.fromEntries(facts), truth)
}

/** Polls until the condition is met, for at most 60 seconds. */
function untilSoon(isSo: () => boolean, otherwise: () => string): Promise<void> {
  return until(isSo, { withinMs: 60_000, otherwise })
}

function inspect(value: unknown): string {
  return JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one))
}

type Notice = { id: Hex; event: 'filled' | 'reverted'; block: number; transactionHash: Hex }

/** Writes a hook that records its input. For each fill, only the last notification counts. */
async function prepareHook(place: string) {
  mkdirSync(place, { recursive: true })
  const [script, file] = [join(place, 'hook.mjs'), join(place, 'notices')]
  writeFileSync(
    script,
    `import { appendFileSync, readFileSync } from 'node:fs'
appendFileSync(${JSON.stringify(file)}, readFileSync(0, 'utf8').trim() + '\\n')
`,
  )
  const notices = (): Notice[] =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Notice)
      : []
  return {
    folder: place,
    settings: { hooks: { onFilled: { command: [process.execPath, script] } } },
    calls: () => notices().length,
    last: () => new Map(notices().map((notice) => [notice.id, notice])),
  }
}
