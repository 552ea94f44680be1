// Why: docs/decisions/0030-contract-makers.md

import type { ContractSignature } from '@firmquote/core/chain'
import type { Clock } from '@firmquote/core/utils'

/** Contract makers' sessions. A session lasts as long as the contract accepts the signature that opened it. */
export type ContractSessions = {
  /**
   * Calls `onWithdrawn` once, when the contract no longer accepts the signature. Calling the returned function stops
   * the checks.
   */
  watch(signature: ContractSignature, onWithdrawn: () => void): () => void
}

/** Dependencies of {@link createContractSessions}. */
export type ContractSessionsOptions = {
  clock: Pick<Clock, 'after'>
  intervalMs: number
  /** Returns cryptographically secure random bytes. */
  random: (bytes: number) => Uint8Array
  /** Whether the contracts accept the signatures; null if unknown. Never rejects. */
  readSignatures: (signatures: readonly ContractSignature[]) => Promise<(boolean | null)[]>
}

/**
 * Creates the watch. Each session is checked at a regular interval with a random phase, so that sessions do not call
 * the node at the same time or at every block.
 */
export function createContractSessions(options: ContractSessionsOptions): ContractSessions {
  const { clock, intervalMs, random, readSignatures } = options
  return {
    watch(signature, onWithdrawn) {
      let isWatching = true
      let cancel = () => {}
      const schedule = (milliseconds: number) => {
        cancel = clock.after(milliseconds, () => void check())
      }
      const check = async () => {
        const [accepted] = await readSignatures([signature])
        if (!isWatching) return
        if (accepted === false) onWithdrawn()
        else schedule(intervalMs)
      }
      schedule((intervalMs * (random(1)[0] ?? 0)) / 256)
      return () => {
        isWatching = false
        cancel()
      }
    },
  }
}
