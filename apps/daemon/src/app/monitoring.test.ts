import type { AuctionResultMessage } from '@firmquote/core'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { Address } from 'viem'
import { startDaemonHarness, until } from '../../test/daemonHarness.ts'
import { exampleNow, exampleRfq } from '../../test/exampleRfq.ts'
import type { PublishedCurve } from '../domain/marketView.ts'
import { type Pricer, type PricingInput, priceRfq } from '../domain/priceRfq.ts'
import { HookError } from '../errors.ts'
import type { AlertNotice } from '../ports/alertHook.ts'
import type { ChainPosition } from '../ports/positionChain.ts'
import type { DaemonDeps } from './createDaemon.ts'

let ended: (() => Promise<void>) | undefined
afterEach(async () => {
  await ended?.()
  ended = undefined
})

/** Starts a daemon whose pricer records its inputs. */
async function start(changes: Partial<DaemonDeps> = {}) {
  const inputs: PricingInput[] = []
  const pricer: Pricer = (input) => {
    inputs.push(input)
    return priceRfq(input)
  }
  const harness = await startDaemonHarness({ pricer, ...changes })
  ended = harness.end
  const { world, clock } = harness
  /** Runs the next round and waits until it has started. */
  const round = async () => {
    const before = world.rounds
    clock.advance(15_000)
    await until(() => world.rounds > before)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await until(() => world.rounds > 0)
  return {
    ...harness,
    inputs,
    round,
    get control() {
      return harness.control
    },
  }
}

const token = '0x2222222222222222222222222222222222222222'
const curve: PublishedCurve = {
  poolId: exampleRfq.poolId,
  loanToken: { address: token, decimals: 6 },
  floatingRatePerSec: 7n,
  series: [{ seriesKey: exampleRfq.seriesKey, expiry: exampleRfq.expiry, bestApr: 9n, depth: 1n, capacity: 2n }],
}

describe('market view of a pricer', () => {
  test.each([
    ['other decimals', { address: token, decimals: 18 }, ['TOKEN_MISMATCH']],
    ['another token', { address: `0x${'99'.repeat(20)}`, decimals: 6 }, ['TOKEN_MISMATCH']],
    ['the same', { address: token, decimals: 6 }, []],
  ] as const)('behavior: the service reports %s than the node', async (_, loanToken, reasons) => {
    const { world, ask, round } = await start()
    world.curves = [{ ...curve, loanToken }]
    await round()
    ask()
    await until(() => world.declined.length + world.submitted.length === 1)
    expect(world.declined.map(({ reason }) => reason)).toEqual(reasons)
  })

  test('default: curve, book, exposure and the last auctions', async () => {
    const daemon = await start()
    const { world, inputs, round } = daemon
    world.curves = [curve]
    const loanToken = world.funds.loanToken
    world.positions = [
      position(1n, { maker: daemon.maker, notional: 70n }),
      position(2n, { notional: 500n }),
      position(3n, { maker: daemon.maker, notional: 7n, settled: true }),
      position(4n, { borrower: daemon.maker, notional: 9n }),
    ].map((one) => ({ ...one, loanToken }))
    await round()
    const first = daemon.ask()
    await until(() => world.submitted.length === 1)
    expect(inputs[0]).toMatchObject({ book: [], recentAuctions: [] })
    expect(inputs[0]?.exposure).toEqual([{ seriesKey: exampleRfq.seriesKey, open: 70n, quoted: 0n }])
    const { poolId: _, loanToken: __, ...told } = curve
    expect(inputs[0]?.curve).toEqual({ ...told, readAt: expect.any(Number) })

    const [quote] = world.submitted
    const result: AuctionResultMessage = {
      ...{ type: 'auction_result', rfqId: first.rfqId, closedAt: 5, quoteCount: 3, outcome: 'close' },
      own: { hash: quote?.hash ?? '0x' },
    }
    daemon.deliverResult(result)
    daemon.ask()
    await until(() => inputs.length === 2)
    const { poolId, seriesKey, notional } = first
    expect(inputs[1]?.book).toEqual([
      { poolId, seriesKey, notional, vrtAmount: expect.any(BigInt), deadline: expect.any(BigInt) },
    ])
    expect(inputs[1]?.exposure).toEqual([{ seriesKey, open: 70n, quoted: notional }])
    expect(inputs[1]?.recentAuctions).toEqual([
      { rfqId: first.rfqId, poolId, seriesKey, notional, outcome: 'close', quoteCount: 3, closedAt: 5 },
    ])
  })

  test('behavior: stale service data is null, and answers do not wait for it', async () => {
    const daemon = await start()
    const { world, inputs, round, clock } = daemon
    world.curves = [curve]
    await round()
    world.curves = null
    clock.advance(0)
    for (let rounds = 0; rounds < 9; rounds++) await round()
    world.funds = { ...world.funds, timestamp: BigInt(Math.floor(clock.now() / 1_000)) }
    daemon.ask({ expiry: exampleRfq.expiry })
    await until(() => inputs.length === 1)
    expect(inputs[0]?.curve).toBeNull()
    expect(world.submitted.length + world.declined.length).toBeLessThanOrEqual(1)
  })

  test('behavior: an unread exposure is null', async () => {
    const daemon = await start({})
    daemon.world.positions = null
    await daemon.restart()
    daemon.ask()
    await until(() => daemon.inputs.length === 1)
    expect(daemon.inputs[0]?.exposure).toBeNull()
  })
})

describe('alerts', () => {
  test('default: an alert appears once in the log and the hook, and in status and metrics until it ends', async () => {
    const notices: AlertNotice[] = []
    const alertHook = { timeoutMs: 1_000, call: async (notice: AlertNotice) => void notices.push(notice) }
    const daemon = await start({ alertHook })
    const { world, round, logged } = daemon
    expect((await daemon.control.status()).alerts).toEqual([])
    world.gasBalance = 0n
    world.funds = { ...world.funds, allowance: 0n }
    await round()
    await round()
    const codes = ['ALLOWANCE_LOW', 'GAS_MONEY_LOW']
    const warned = () => logged.filter(({ facts }) => codes.includes(String(facts['code'])))
    expect(warned().map(({ level, facts }) => [level, facts['code'], facts['token']])).toEqual([
      ['warn', 'ALLOWANCE_LOW', 'tUSD'],
      ['warn', 'GAS_MONEY_LOW', null],
    ])
    expect((await daemon.control.status()).alerts?.map(({ code }) => code)).toEqual(codes)
    expect(notices.map(({ event, code, maker }) => [event, code, maker])).toEqual(
      codes.map((code) => ['alert', code, daemon.maker]),
    )
    expect(await daemon.daemon.metrics()).toContain('firmquote_daemon_alert{code="ALLOWANCE_LOW",token="tUSD"} 1\n')

    world.gasBalance = 10n ** 18n
    world.funds = { ...world.funds, allowance: 10n ** 30n }
    await round()
    expect((await daemon.control.status()).alerts).toEqual([])
    expect(
      warned()
        .slice(2)
        .map(({ level }) => level),
    ).toEqual(['info', 'info'])
    world.gasBalance = 0n
    await round()
    expect(notices.map(({ code }) => code)).toEqual([...codes, 'GAS_MONEY_LOW'])
  })

  test('behavior: retries a failed hook while the alert is active', async () => {
    let calls = 0
    const alertHook = {
      timeoutMs: 1_000,
      async call() {
        calls += 1
        if (calls === 1) throw new HookError('No.')
      },
    }
    const { world, round } = await start({ alertHook })
    world.gasBalance = 0n
    for (let rounds = 0; rounds < 4; rounds++) await round()
    expect(calls).toBe(2)
  })

  test('behavior: a hanging hook delays neither the rounds nor the shutdown', async () => {
    let isEnded = false
    const call = (_notice: AlertNotice, signal: AbortSignal) =>
      new Promise<void>(() => {
        signal.addEventListener('abort', () => {
          isEnded = true
        })
      })
    const daemon = await start({ alertHook: { call, timeoutMs: 3_600_000 } })
    const { world, round } = daemon
    world.gasBalance = 0n
    await round()
    await round()
    expect(isEnded).toBe(false)
    await daemon.daemon.drain()
    expect(isEnded).toBe(true)
  })

  test('behavior: a failed chain read ends no alert', async () => {
    const daemon = await start()
    const { world, round } = daemon
    world.gasBalance = 0n
    await round()
    world.isChainDown = true
    await round()
    expect((await daemon.control.status()).alerts?.map(({ code }) => code)).toEqual(['GAS_MONEY_LOW'])
  })
})

describe('metrics', () => {
  test('default: counts and funds, and no address', async () => {
    const daemon = await start()
    const { world, round } = daemon
    const rfq = daemon.ask()
    await until(() => world.submitted.length === 1)
    daemon.ask({ expiry: exampleNow - 1, seriesKey: rfq.poolId })
    await until(() => world.declined.length === 1)
    const own = { hash: world.submitted[0]?.hash ?? ('0x' as const) }
    daemon.deliverResult({ type: 'auction_result', rfqId: rfq.rfqId, closedAt: 5, quoteCount: 1, outcome: 'best', own })
    await round()
    const text = await daemon.daemon.metrics()
    for (const line of [
      'firmquote_daemon_quotes_total 1',
      'firmquote_daemon_verdicts_total{code="ACCEPTED"} 1',
      `firmquote_daemon_declines_total{code="${world.declined[0]?.reason}"} 1`,
      'firmquote_daemon_ranked_first_total 1',
      'firmquote_daemon_fills_total 0',
      'firmquote_daemon_quoted_tokens{token="tUSD"} 1000',
      'firmquote_daemon_balance_tokens{token="tUSD"} 3000',
      'firmquote_daemon_allowance_left_percent{token="tUSD"} 100',
      'firmquote_daemon_gas_balance_coins 1',
      'firmquote_daemon_hook_queue 0',
      'firmquote_daemon_connected 1',
      'firmquote_daemon_block_age_seconds 15',
    ]) {
      expect(text).toContain(`\n${line}\n`)
    }
    expect(text).not.toMatch(/0x[0-9a-f]{8}/i)
  })
})

describe('checkpoints', () => {
  const { seriesKey } = exampleRfq
  const expired = (maker: Address) => [
    position(1n, { maker, expiry: exampleNow }),
    position(2n, { expiry: exampleNow }),
  ]

  test('default: takes them without the keeper and without the service', async () => {
    const { world, daemon, maker, round } = await start()
    world.curves = null
    world.positions = expired(maker)
    await round()
    expect(world.observed).toEqual([seriesKey])
    world.checkpoints.add(seriesKey)
    await round()
    expect(await daemon.metrics()).toContain('\nfirmquote_daemon_checkpoints_total 1\n')
    expect(world.observed).toHaveLength(1)
  })

  test.each([
    ['in a dry run', { dryRun: true }],
    ['if they are switched off', { checkpoints: false }],
  ])('behavior: takes none %s', async (_when, changes) => {
    const { world, maker, round } = await start(changes)
    world.positions = expired(maker)
    await round()
    expect(world.observed).toEqual([])
  })

  test('behavior: takes none once a shutdown has begun', async () => {
    const { world, daemon, maker, clock, round } = await start()
    const expiry = exampleNow + 60
    world.positions = [position(1n, { maker, expiry })]
    await round()
    await daemon.drain()
    world.funds = { ...world.funds, timestamp: BigInt(expiry) }
    for (let seconds = 0; seconds < 60; seconds++) {
      clock.advance(1_000)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect([world.observed, clock.pending()]).toEqual([[], 0])
  })
})

const other: Address = '0x5555555555555555555555555555555555555555'

function position(positionId: bigint, changes: Partial<ChainPosition>): ChainPosition {
  return {
    ...{ positionId, maker: other, borrower: other, poolId: exampleRfq.poolId, seriesKey: exampleRfq.seriesKey },
    ...{ loanToken: other, openedAt: 1, expiry: exampleRfq.expiry, settled: false, notional: 1n },
    ...changes,
  }
}
