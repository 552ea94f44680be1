import { readAuthLifetimeSeconds } from '@firmquote/core/protocol'
import type { Clock } from '@firmquote/core/utils'
import type { Address } from 'viem'
import type { BackerSigner } from './backerSigner.ts'

/** Milliseconds before expiry at which an authorization is renewed, in case the service's clock is ahead. */
const marginMs = 300_000

/** Caches read authorizations for their one-hour lifetime, so that the wallet need not sign for every call. */
export type ReadAuthorizations = {
  /** Returns the header for an audience. Concurrent calls share one signature. */
  get(audience: string): Promise<string>
  /** Discards an authorization that the service rejected. The next call signs a new one. */
  drop(): void
}

/** Creates a signer's cache. Authorizations are never exposed as properties. */
export function createReadAuthorizations(signer: BackerSigner, clock: Pick<Clock, 'now'>): ReadAuthorizations {
  let last: { backer: Address | null; audience: string; signedAt: number; header: Promise<string> } | null = null
  return {
    async get(audience) {
      const [backer, now] = [signer.getAddress(), clock.now()]
      const age = last && now - last.signedAt
      const isGood = age !== null && age >= 0 && age < readAuthLifetimeSeconds * 1000 - marginMs
      if (last && isGood && last.backer === backer && last.audience === audience) return last.header
      const signed = { backer, audience, signedAt: now, header: signer.signReadAuthorization(audience) }
      last = signed
      try {
        return await signed.header
      } catch (error) {
        if (last === signed) last = null
        throw error
      }
    },
    drop() {
      last = null
    },
  }
}
