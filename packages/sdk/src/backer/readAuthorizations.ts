import { type Clock, readAuthLifetimeSeconds } from '@firmquote/core'
import type { Address } from 'viem'
import type { BackerSigner } from './backerSigner.ts'

/** One is signed again so many milliseconds before the service's clock may say that its hour is over. */
const marginMs = 300_000

/** Authorizations to read, each of which is used for its hour: a wallet is not asked for every call. */
export type ReadAuthorizations = {
  /** The header for an audience. Calls at the same time wait for the same signature. */
  get(audience: string): Promise<string>
  /** The service did not take the last one: the next call signs another. */
  drop(): void
}

/** Keeps the last authorization of a signer; it is never shown. */
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
