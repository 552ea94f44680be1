import { readFileSync } from 'node:fs'
import type { PoolRates, ServiceConfig } from '@firmquote/core'
import type { DevnetAccount } from '@firmquote/devnet'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { ParticipantsOptions } from '../clients/createParticipants.ts'

/**
 * Fetches a running server's market, auction duration and first active series.
 *
 * @throws {TypeError} if the server does not respond or has no active series, or there are too few keys.
 */
export async function fetchServer(
  url: string,
  backers: number,
  keyFile: string | undefined,
): Promise<ParticipantsOptions & { auctionMs: number }> {
  if (keyFile === undefined) {
    throw new TypeError(
      'A server that was started separately rejects quotes from makers without funds. Pass --keys FILE with the private keys of funded backers, one per line.',
    )
  }
  const makers = loadMakers(keyFile).slice(0, backers)
  if (makers.length < backers) {
    throw new TypeError(`${keyFile} contains ${makers.length} keys, but --backers is ${backers}.`)
  }
  const config = await fetchJson<ServiceConfig>(`${url}/api/v1/config`)
  const { pools } = await fetchJson<{ pools: PoolRates[] }>(`${url}/api/v1/pools/rates`)
  const [series] = pools.flatMap(({ poolId, series }) => series.map(({ seriesKey }) => ({ poolId, seriesKey })))
  if (!series) throw new TypeError('The server has no active series.')
  return {
    urls: [url],
    wsUrls: [`${url.replace(/^http/, 'ws')}/ws/rfq`],
    domain: { chainId: config.chainId, quoteMarket: config.contracts.quoteMarket },
    ...{ series, makers, auctionMs: config.auction.durationMs },
  }
}

/** Loads makers' keys. Errors identify a key by its position and never contain the key. */
function loadMakers(file: string): DevnetAccount[] {
  const keys = readFileSync(file, 'utf8').split(/\s+/).filter(Boolean)
  return keys.map((text, index) => {
    try {
      const privateKey = text as Hex
      return { address: privateKeyToAddress(privateKey), privateKey }
    } catch {
      throw new TypeError(`Key ${index + 1} in ${file} is not a private key. Expected 0x followed by 64 hex digits.`)
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
