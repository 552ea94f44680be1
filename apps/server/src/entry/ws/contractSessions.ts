import type { Clock } from '@firmquote/core'
import type { ContractSignature } from '@firmquote/core/chain'
import type { Hex } from 'viem'

/** Contract makers' sessions. A session lasts as long as the contract accepts the signature that opened it. */
export type ContractSessions = {
  /**
   * Calls `onWithdrawn` once, when the contract stops accepting the signature. Calling the returned function stops
   * watching.
   */
  watch(signature: ContractSignature, onWithdrawn: () => void): () => void
}

/** Dependencies of {@link createContractSessions}. */
export type ContractSessionsOptions = {
  clock: Pick<Clock, 'after'>
  /** The newest known block; null if there is none. */
  headHash: () => Hex | null
  /** Whether the contracts accept the signatures; null if unknown. Never rejects. */
  readSignatures: (signatures: readonly ContractSignature[]) => Promise<(boolean | null)[]>
}

/** Interval between polls for a new block, in milliseconds. */
const pollMs = 500

/** Creates the watch. For each new block, checks the signatures of all sessions in one call. */
export function createContractSessions({ clock, headHash, readSignatures }: ContractSessionsOptions): ContractSessions {
  const sessions = new Map<ContractSignature, () => void>()
  let askedAt: Hex | null = null
  let isScheduled = false

  const poll = async () => {
    const head = headHash()
    if (head === null || head === askedAt || sessions.size === 0) return
    const signatures = [...sessions.keys()]
    const answers = await readSignatures(signatures)
    signatures.forEach((signature, index) => {
      if (answers[index] !== false) return
      const onWithdrawn = sessions.get(signature)
      sessions.delete(signature)
      onWithdrawn?.()
    })
    // Unknown answers are requested again. Until then no quote is accepted, because the quote's own check fails too.
    if (!answers.includes(null)) askedAt = head
  }

  const schedulePoll = () => {
    if (isScheduled || sessions.size === 0) return
    isScheduled = true
    clock.after(pollMs, () => {
      void poll().finally(() => {
        isScheduled = false
        schedulePoll()
      })
    })
  }

  return {
    watch(signature, onWithdrawn) {
      sessions.set(signature, onWithdrawn)
      // The other sessions may already have been checked at this block.
      askedAt = null
      schedulePoll()
      return () => sessions.delete(signature)
    },
  }
}
