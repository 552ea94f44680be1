import { ConnectionError, InvalidResponseError, ServiceClient } from '@firmquote/sdk'
import { createLogReader, createProofReads } from '@firmquote/sdk/proofs'
import type { Address, Hex } from 'viem'
import type { LogWitness } from '../ports/logWitness.ts'
import type { LogSettings, Service } from '../ports/service.ts'

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
  /** Whether to request receipts from the service. Default: false. */
  receipts?: boolean
  /** This maker's witness, if it has one. */
  witness?: Pick<LogWitness, 'connect'> | null
  log: { info(facts: object, message: string): void; warn(facts: object, message: string): void }
}

/** Adapts the SDK's client, which signs, authenticates and reconnects, to the {@link Service} port. */
export function createSdkService({
  privateKey,
  log,
  audience,
  traces = false,
  receipts = false,
  witness = null,
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
  const { orderbookUrl: base } = client.getConfig()
  const reads = createProofReads(client, audience === undefined ? {} : { audience })
  const socket = () => client.getWebSocketClient()
  let isDisconnecting = false
  const urlOf = ({ url }: LogSettings) => `${base}${url}`
  const readLogSettings = async (): Promise<LogSettings | null> => {
    const { proofs } = await client.getServiceConfig()
    if (proofs === undefined) return null
    const { origin, url, key, promiseSeconds } = proofs
    // The service must not send the daemon to another host.
    if (!/^\/log\/\d+$/.test(url)) throw new InvalidResponseError('The path of the log is not of the form /log/1.')
    return { origin, url, key, promiseSeconds }
  }
  const link = witness?.connect({ readLogSettings, urlOf, send: (message) => socket()?.sendWitness(message) })

  return {
    url: base,
    isConnected: () => socket()?.isConnected() ?? false,
    isAuthenticated: () => socket()?.isAuth() ?? false,
    connect({ onAuthenticated, onRfq, onResult, onStatus, onReceipt, onRefused }, { resumeFrom }) {
      let wasAuthenticated = false
      let refusal: Error | null = null
      client
        .connectWebSocket(
          {
            onRFQ: onRfq,
            onAuctionResult: onResult,
            onQuoteStatus: onStatus,
            onReceipt,
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
              link?.connected()
            },
            ...(link && { onCheckpoint: link.receive }),
            onAuthFailed: (reason, err) => {
              refusal = err
              if (reason === 'banned') log.warn({ err }, "the service's operator has banned this maker")
            },
            onError: (err) => log.warn({ err }, 'connection to the service failed'),
            onClose: ({ code, reason, retryInMs }) => {
              link?.disconnected()
              if (isDisconnecting) return
              log.warn({ code, reason, retryInMs }, 'connection to the service closed')
              if (wasAuthenticated && retryInMs === null) {
                onRefused(
                  refusal ?? new TypeError(`The service closed the connection permanently (${code} ${reason}).`),
                )
              }
            },
          },
          { audience, retry: true, resumeFrom, traces, receipts },
        )
        .catch((error: Error) => {
          if (!isDisconnecting) onRefused(error)
        })
    },
    async disconnect() {
      isDisconnecting = true
      client.disconnectWebSocket()
      await link?.stop()
    },
    sign: async (quote) => (await client.signQuoteMarketQuote(quote)).signature,
    async submit(rfqId, signed, traceparent) {
      const connection = socket()
      if (connection) return connection.submitSerializedQuote(rfqId, signed, { traceparent })
      throw new ConnectionError('Not connected to the service.', { sent: 'no' })
    },
    readLogSettings,
    openLog: (settings) => createLogReader({ url: urlOf(settings), key: settings.key }),
    ...reads,
    decline(rfqId, reason) {
      socket()?.decline(rfqId, reason)
    },
    async readCurves() {
      const pools = await client.getPoolRates()
      return pools.map(({ poolId, loanToken: { address, decimals }, floating, series }) => ({
        poolId,
        loanToken: { address, decimals },
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
