import { readFileSync } from 'node:fs'
import type { PoolRates, ServiceConfig } from '@firmquote/core'
import type { DevnetAccount } from '@firmquote/devnet'
import { type Hex, isHex, size } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { ParticipantsOptions } from './createParticipants.ts'

/** A server that was started elsewhere, as far as the load needs to know it. */
export type ForeignServer = Omit<ParticipantsOptions, 'answers'> & { auctionMs: number }

/**
 * Fetches what the load needs from a running server: its market, the length of its auctions, the first active series.
 *
 * @throws {TypeError} in one sentence when it does not answer, has no series, or there are too few keys.
 */
export async function fetchForeignServer(
  url: string,
  { keys, backers }: { keys: string | undefined; backers: number },
): Promise<ForeignServer> {
  if (keys === undefined) {
    throw new TypeError(
      'A server that was started elsewhere refuses quotes of makers without funds: give --keys FILE with the private keys of funded backers, one a line.',
    )
  }
  const makers = loadKeys(keys).slice(0, backers)
  if (makers.length < backers)
    throw new TypeError(`${keys} holds ${makers.length} keys; --backers asks for ${backers}.`)
  const [config, pools] = await Promise.all([
    fetchJson<ServiceConfig>(`${url}/api/v1/config`),
    fetchJson<{ pools: PoolRates[] }>(`${url}/api/v1/pools/rates`),
  ])
  const pool = pools.pools.find(({ series }) => series.length > 0)
  const [series] = pool?.series ?? []
  if (!pool || !series) throw new TypeError('The server has no active series.')
  return {
    url,
    wsUrl: `${url.replace(/^http/, 'ws')}/ws/rfq`,
    domain: { chainId: config.chainId, quoteMarket: config.contracts.quoteMarket },
    series: { poolId: pool.poolId, seriesKey: series.seriesKey },
    makers,
    auctionMs: config.auction.durationMs,
  }
}

/** Errors name a key by its position and never repeat it. */
function loadKeys(file: string): DevnetAccount[] {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
  return lines
    .filter((line) => line !== '')
    .map((privateKey, index) => {
      const malformed = new TypeError(`Key ${index + 1} of ${file} is no private key: 0x and 64 hex digits.`)
      if (!isHex(privateKey) || size(privateKey) !== 32) throw malformed
      try {
        return { address: privateKeyToAddress(privateKey as Hex), privateKey }
      } catch {
        throw malformed
      }
    })
}

async function fetchJson<T>(url: string): Promise<T> {
  const answer = await fetch(url).catch((cause: unknown) => {
    throw new TypeError(`${url} does not answer.`, { cause })
  })
  if (!answer.ok) throw new TypeError(`${url} answers with ${answer.status}.`)
  return (await answer.json()) as T
}
