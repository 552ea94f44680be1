import type { RFQRequest, ServiceConfig } from '@firmquote/core'
import { type Address, isAddressEqual } from 'viem'
import type { BackerSigner } from '../backer/backerSigner.ts'
import { isSafeUrl } from '../backer/isSafeUrl.ts'
import type { ClientConfig } from '../clientConfig.ts'
import { SignerError } from '../errors.ts'

/** What proves the taker of a request: part of an `RFQRequest`, for 24 hours from its `timestamp` (Unix seconds). */
export type TakerProof = { taker: Address; takerProof: NonNullable<RFQRequest['takerProof']> }

/** What the service's configuration must say before anything is signed. */
export type TakerProofRules = Pick<ClientConfig, 'orderbookUrl' | 'chainId' | 'quoteMarketAddress'> & {
  signer: BackerSigner
  /** Whom the service must say that it is. */
  audience: string
  /** Unix seconds. */
  now: number
}

/**
 * Signs a proof of taker for a service, if it is the one that is meant: otherwise it could use the proof at another service.
 *
 * @throws {SignerError} `AUDIENCE_MISMATCH`, `SIGNER_MISSING`, `SIGNING_FAILED`.
 */
export async function signTakerProof(config: ServiceConfig, rules: TakerProofRules): Promise<TakerProof> {
  const { signer, audience, orderbookUrl, chainId, quoteMarketAddress, now } = rules
  if (!isSafeUrl(orderbookUrl)) {
    throw mismatch(`${orderbookUrl} is not encrypted: an http:// URL may only lead to this machine.`)
  }
  if (config.takerAudience === undefined) throw mismatch('The service does not say whom a proof of taker is for.')
  if (config.takerAudience !== audience) {
    throw mismatch(`The service says that it is ${config.takerAudience}, not ${audience}.`)
  }
  if (config.chainId !== chainId) {
    throw mismatch(`The service is for chain ${config.chainId}, this client for ${chainId}.`)
  }
  if (!isAddressEqual(config.contracts.quoteMarket, quoteMarketAddress)) {
    throw mismatch('The service is for another quote market than this client.')
  }
  const taker = signer.getAddress()
  if (taker === null)
    throw new SignerError('SIGNER_MISSING', 'There is no signer: call setPrivateKey or setAccount first.')
  return { taker, takerProof: { timestamp: now, signature: await signer.signTakerAuth(audience, now) } }
}

function mismatch(message: string): SignerError {
  return new SignerError('AUDIENCE_MISMATCH', message, { details: 'Nothing was signed.' })
}
