import { ConnectionError, ServiceClient } from '@firmquote/sdk'
import type { Address, Hex } from 'viem'
import type { Service } from '../ports/service.ts'

/** Which service, and the key that signs for it. */
export type SdkServiceOptions = {
  url: string
  audience: string | undefined
  chainId: number
  quoteMarket: Address
  interestRatePool: Address
  privateKey: Hex
  log: { info(facts: object, message: string): void; warn(facts: object, message: string): void }
}

/** The service behind the SDK's client, which signs, authenticates and comes back by itself. */
export function createSdkService({ privateKey, log, audience, ...options }: SdkServiceOptions): Service {
  const { url: orderbookUrl, chainId, quoteMarket: quoteMarketAddress, interestRatePool } = options
  const client = new ServiceClient({
    orderbookUrl,
    chainId,
    quoteMarketAddress,
    interestRatePoolAddress: interestRatePool,
  })
  client.setPrivateKey(privateKey)
  const socket = () => client.getWebSocketClient()
  let isEnding = false

  return {
    url: client.getConfig().orderbookUrl,
    isConnected: () => socket()?.isConnected() ?? false,
    isAuthenticated: () => socket()?.isAuth() ?? false,
    connect({ onAuthenticated, onRfq, onResult, onRefused }) {
      let hasBeenIn = false
      client
        .connectWebSocket(
          {
            onRFQ: onRfq,
            onAuctionResult: onResult,
            onAuthenticated: ({ openRfqs }) => {
              hasBeenIn = true
              log.info({ openRfqs: openRfqs.length }, 'authenticated')
              onAuthenticated()
            },
            onError: (err) => log.warn({ err }, 'trouble with the line to the service'),
            onClose: ({ code, reason, retryInMs }) => {
              if (isEnding) return
              log.warn({ code, reason, retryInMs }, 'the line to the service has ended')
              if (hasBeenIn && retryInMs === null) {
                onRefused(new TypeError(`The service has closed the line for good (${code} ${reason}).`))
              }
            },
          },
          { audience, retry: true },
        )
        .catch((error: Error) => {
          if (!isEnding) onRefused(error)
        })
    },
    disconnect() {
      isEnding = true
      client.disconnectWebSocket()
    },
    sign: async (quote) => (await client.signQuoteMarketQuote(quote)).signature,
    async submit(rfqId, signed) {
      const line = socket()
      if (line) return line.submitSerializedQuote(rfqId, signed)
      throw new ConnectionError('There is no line to the service.', { sent: 'no' })
    },
    decline(rfqId, reason) {
      socket()?.decline(rfqId, reason)
    },
  }
}
