import { ConnectionError, ServiceClient } from '@firmquote/sdk'
import type { Address, Hex } from 'viem'
import type { Service } from '../ports/service.ts'

/** Options of {@link createSdkService}. */
export type SdkServiceOptions = {
  url: string
  audience: string | undefined
  chainId: number
  quoteMarket: Address
  interestRatePool: Address
  privateKey: Hex
  /** Whether to request trace contexts from the service. Default: false. */
  traces?: boolean
  log: { info(facts: object, message: string): void; warn(facts: object, message: string): void }
}

/** Adapts the SDK's client, which signs, authenticates and reconnects, to the {@link Service} port. */
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
              log.warn(
                { seq },
                'the service no longer retains all missed status updates; run `report` to list all positions',
              )
            },
            onAuthenticated: ({ openRfqs }) => {
              wasAuthenticated = true
              log.info({ openRfqs: openRfqs.length }, 'authenticated')
              onAuthenticated()
            },
            onError: (err) => log.warn({ err }, 'connection to the service failed'),
            onClose: ({ code, reason, retryInMs }) => {
              if (isDisconnecting) return
              log.warn({ code, reason, retryInMs }, 'connection to the service closed')
              if (wasAuthenticated && retryInMs === null) {
                onRefused(new TypeError(`The service closed the connection permanently (${code} ${reason}).`))
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
      throw new ConnectionError('Not connected to the service.', { sent: 'no' })
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

/** Converts a percentage to a simple APR in WAD. Returns null for undefined. */
function toWad(percent: number | undefined): bigint | null {
  return percent === undefined || !Number.isFinite(percent) ? null : BigInt(Math.round(percent * 1e6)) * 10n ** 10n
}
