import { systemClock } from '@firmquote/core/utils'
import { isSafeUrl } from '../backer/isSafeUrl.ts'
import { createReadAuthorizations } from '../backer/readAuthorizations.ts'
import { backerChannelUrl } from '../clientConfig.ts'
import { InvalidResponseError, SignerError } from '../errors.ts'
import type { ServiceClient } from '../serviceClient.ts'
import type { LogSource } from './createLogReader.ts'
import { readBytes } from './readBytes.ts'
import type { BookService, ListedAuction } from './receiptBookTypes.ts'

/** A transcript of 20,000 quotes. */
const maxListBytes = 1_048_576
const maxProofBytes = 65_536

/** Options of {@link createProofReads}. */
export type ProofReadOptions = LogSource & {
  /** The public URL of the service's backer socket, if it cannot be derived from `orderbookUrl`. */
  audience?: string
}

/**
 * Creates the reads that a receipt book needs of the service. They follow no redirects, and limit the size and time of
 * each answer. `readProof` signs a read authorization once per hour.
 *
 * @param client a client with the maker's signer.
 * @example
 * ```ts
 * client.setPrivateKey(key)
 * const { readAuction } = createProofReads(client)
 * const { close, hashes } = await readAuction(rfq.rfqId)
 * ```
 */
export function createProofReads(
  client: Pick<ServiceClient, 'getConfig' | 'getSigner'>,
  options: ProofReadOptions = {},
): Pick<BookService, 'readAuction' | 'readProof'> {
  const { orderbookUrl } = client.getConfig()
  const { fetch = globalThis.fetch, clock = systemClock, signal, timeoutMs = 15_000 } = options
  const { audience = backerChannelUrl(orderbookUrl) } = options
  const source = { fetch, clock, signal, timeoutMs }
  const authorizations = createReadAuthorizations(client.getSigner(), clock)
  const api = `${orderbookUrl}/api/v1`
  return {
    async readAuction(rfqId) {
      const url = `${api}/log/auctions/${rfqId}`
      return decodeAuction(new TextDecoder().decode(await readBytes(url, maxListBytes, source)), url)
    },
    async readProof(rfqId) {
      if (!isSafeUrl(orderbookUrl)) {
        throw new SignerError('AUDIENCE_MISMATCH', 'An http:// URL must be local.', { details: 'Nothing was signed.' })
      }
      const authorization = await authorizations.get(audience)
      try {
        const url = `${api}/maker/proofs?publicRfqId=${rfqId}`
        return new TextDecoder().decode(await readBytes(url, maxProofBytes, { ...source, authorization }))
      } catch (error) {
        // The service may have rejected the authorization.
        if (error instanceof InvalidResponseError) authorizations.drop()
        throw error
      }
    },
  }
}

function decodeAuction(text: string, url: string): ListedAuction {
  const fail = () => new InvalidResponseError(`The answer of ${url} is not an auction's list of hashes.`)
  let value: Partial<ListedAuction> | null
  try {
    value = JSON.parse(text) as Partial<ListedAuction> | null
  } catch {
    throw fail()
  }
  const { open, close, hashes } = value ?? {}
  if (!isIndex(open) || !isIndex(close) || !Array.isArray(hashes)) throw fail()
  if (!hashes.every((hash) => typeof hash === 'string')) throw fail()
  return { open, close, hashes }
}

function isIndex(value: unknown): value is number | null {
  return value === null || (Number.isSafeInteger(value) && Number(value) >= 0)
}
