import type { Clock } from '@firmquote/core/utils'
import { type Address, isAddressEqual } from 'viem'
import { type Alert, type AlertLimits, judgeAlerts, keyOf, type TokenFunds } from '../domain/alerts.ts'
import type { OutstandingQuote } from '../domain/exposure.ts'
import type { Policy } from '../domain/policy.ts'
import type { GasFunds, PositionChain } from '../ports/positionChain.ts'
import { type AlertHookSetup, callAlertHook } from './callAlertHook.ts'
import type { MarketWatch } from './marketWatch.ts'
import type { PositionBook } from './positionBook.ts'

/** The maker's funds as of the last read. Amounts are in raw token units. */
export type FundsView = {
  /** Time of the newest block, in Unix seconds. */
  blockTime: number
  tokens: (TokenFunds & { decimals: number })[]
  gas: GasFunds
}

/** Monitors the maker's funds, and reports each shortage once. */
export type FundsWatch = {
  /**
   * Reads the funds.
   *
   * @throws {ChainUnavailableError} if the read fails. The previous view is kept.
   */
  refresh(): Promise<void>
  /** The view from the last refresh. Null before the first refresh. */
  view(): FundsView | null
  alerts(): readonly Alert[]
  /** Aborts a hook call in progress and makes no further calls. */
  stop(): Promise<void>
}

/** Dependencies of {@link createFundsWatch}. */
export type FundsWatchDeps = {
  maker: Address
  chain: Pick<PositionChain, 'readHoldings' | 'readLoanTokens' | 'readGasFunds'>
  positions: PositionBook
  market: Pick<MarketWatch, 'poolIds'>
  policy(): Policy
  outstanding(): readonly OutstandingQuote[]
  clock: Clock
  limits: AlertLimits
  /** Active alerts that do not concern funds. */
  otherAlerts(): readonly Alert[]
  /** Alert hook, or null. */
  hook: AlertHookSetup | null
  log: { info(facts: object, message: string): void; warn(facts: object, message: string): void }
}

/** Maximum number of tokens to read, which limits the work that a service's list of pools can cause. */
const maxTokens = 64

/** Creates the monitor. */
export function createFundsWatch(deps: FundsWatchDeps): FundsWatch {
  const { maker, chain, positions, market, clock, hook, log } = deps
  let view: FundsView | null = null
  let standing: readonly Alert[] = []
  /** Active alerts already delivered to the hook. */
  let told = new Set<string>()
  let notifying: Promise<void> | null = null
  const stopping = new AbortController()

  async function refresh(): Promise<void> {
    const poolIds = deps.policy().pools?.map(({ poolId }) => poolId) ?? market.poolIds()
    const loanTokens = (await chain.readLoanTokens(poolIds)).slice(0, maxTokens)
    const [{ now, holdings }, gas] = await Promise.all([chain.readHoldings(loanTokens), chain.readGasFunds()])
    const quotes = deps.outstanding().filter(({ quote }) => quote.deadline >= BigInt(now))
    const symbols = holdings.map(({ symbol }) => symbol)
    const tokens = holdings.map(({ loanToken, symbol, decimals, balance, allowance }, at) => {
      const isClear = symbol !== '' && symbols.indexOf(symbol) === symbols.lastIndexOf(symbol)
      return {
        token: isClear ? symbol : `${symbol || 'token'}-${at + 1}`,
        decimals,
        balance,
        allowance,
        quoted: sum(quotes.filter((one) => one.loanToken === loanToken).map(({ quote }) => quote.notional)),
        open: sum(
          positions
            .own()
            .filter((one) => one.loanToken === loanToken && isAddressEqual(one.maker, maker))
            .map(({ notional }) => notional),
        ),
      }
    })
    view = { blockTime: now, tokens, gas }
    const alerts = [...judgeAlerts(tokens, gas, deps.limits), ...deps.otherAlerts()]
    logChanges(alerts)
    standing = alerts
    if (hook === null) return
    // Do not await the hook, because a slow hook must not delay the keeper.
    notifying ??= notifyHook(hook, alerts).finally(() => {
      notifying = null
    })
  }

  function logChanges(alerts: readonly Alert[]): void {
    const [before, after] = [new Set(standing.map(keyOf)), new Set(alerts.map(keyOf))]
    for (const alert of alerts) {
      if (!before.has(keyOf(alert))) log.warn({ code: alert.code, token: alert.token }, alert.message)
    }
    for (const alert of standing) {
      if (!after.has(keyOf(alert))) log.info({ code: alert.code, token: alert.token }, 'alert ended')
    }
  }

  /** Notifies the hook of new alerts. A failed call is retried in the next round if the alert is still active. */
  async function notifyHook(setup: AlertHookSetup, alerts: readonly Alert[]) {
    const keys = new Set(alerts.map(keyOf))
    told = new Set([...told].filter((key) => keys.has(key)))
    for (const alert of alerts) {
      if (stopping.signal.aborted) return
      if (told.has(keyOf(alert))) continue
      try {
        await callAlertHook(setup, { event: 'alert', maker, ...alert }, { clock, stopping: stopping.signal })
        told.add(keyOf(alert))
      } catch (err) {
        log.warn({ err, code: alert.code }, 'failed to deliver an alert to the hook')
      }
    }
  }

  return {
    refresh,
    view: () => view,
    alerts: () => standing,
    async stop() {
      stopping.abort()
      await notifying
    },
  }
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
