import { ConnectionError, ServiceClient } from '@firmquote/sdk'
import type { Address, Hex } from 'viem'
import type { Service } from '../ports/service.ts'

/** How {@link createSdkService} connects, and the key that it signs with. */
export type SdkServiceOptions = {
  url: string
  audience: string | undefined
  chainId: number
  quoteMarket: Address
  interestRatePool: Address
  privateKey: Hex
  /** Whether the service is asked for traces. Default: it is not. */
  traces?: boolean
  log: { info(facts: object, message: string): void; warn(facts: object, message: string): void }
}

/** The service behind the SDK's client, which signs, authenticates and reconnects. */
export function createSdkService({
  privateKey,
  log,
  audience,
  traces = false,
  ...options
}: SdkServiceOptions): Service {
  const { url: orderbookUrl, chainId, quoteMarket: quoteMarketAddress, interestRatePool } = options
  const client = new ServiceClient({
    orderbookUrl,
    chainId,
    quoteMarketAddress,
    interestRatePoolAddress: interestRatePool,
  })
  client.setPrivateKey(privateKey)
  const socket = () => client.getWebSocketClient()
  let isDisconnecting = false

  return {
    url: client.getConfig().orderbookUrl,
    isConnected: () => socket()?.isConnected() ?? false,
    isAuthenticated: () => socket()?.isAuth() ?? false,
    connect({ onAuthenticated, onRfq, onResult, onStatus, onRefused }, { resumeFrom }) {
      let wasAuthenticated = false
      client
        .connectWebSocket(
          {
            onRFQ: onRfq,
            onAuctionResult: onResult,
            onQuoteStatus: onStatus,
            onResumed: ({ seq, complete }) => {
              if (complete) return
              log.warn({ seq }, 'the service no longer has all that became of quotes; `report` shows all positions')
            },
            onAuthenticated: ({ openRfqs }) => {
              wasAuthenticated = true
              log.info({ openRfqs: openRfqs.length }, 'authenticated')
              onAuthenticated()
            },
            onError: (err) => log.warn({ err }, 'the connection to the service reported an error'),
            onClose: ({ code, reason, retryInMs }) => {
              if (isDisconnecting) return
              log.warn({ code, reason, retryInMs }, 'the connection to the service has ended')
              if (wasAuthenticated && retryInMs === null) {
                onRefused(new TypeError(`The service has closed the connection for good (${code} ${reason}).`))
              }
            },
          },
          { audience, retry: true, resumeFrom, traces },
        )
        .catch((error: Error) => {
          if (!isDisconnecting) onRefused(error)
        })
    },
    disconnect() {
      isDisconnecting = true
      client.disconnectWebSocket()
    },
    sign: async (quote) => (await client.signQuoteMarketQuote(quote)).signature,
    async submit(rfqId, signed, traceparent) {
      const connection = socket()
      if (connection) return connection.submitSerializedQuote(rfqId, signed, { traceparent })
      throw new ConnectionError('There is no connection to the service.', { sent: 'no' })
    },
    decline(rfqId, reason) {
      socket()?.decline(rfqId, reason)
    },
    async readCurves() {
      const pools = await client.getPoolRates()
      return pools.map(({ poolId, floating, series }) => ({
        poolId,
        floatingRatePerSec: floating.ratePerSec,
        series: series.map(({ seriesKey, expiry, bestApr, depth, capacity }) => {
          return { seriesKey, expiry, bestApr: toWad(bestApr), depth: depth.notional, capacity }
        }),
      }))
    },
  }
}

/** A rate in percent as simple APR in WAD; null without one. */
function toWad(percent: number | undefined): bigint | null {
  return percent === undefined || !Number.isFinite(percent) ? null : BigInt(Math.round(percent * 1e6)) * 10n ** 10n
}
