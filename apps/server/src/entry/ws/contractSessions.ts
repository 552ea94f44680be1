import type { Clock } from '@firmquote/core'
import type { ContractSignature } from '@firmquote/core/chain'
import type { Hex } from 'viem'

/** Sessions of contract makers. A session lasts while the contract accepts the signature that opened it. */
export type ContractSessions = {
  /** Calls `onWithdrawn` once when the contract no longer accepts the signature. The returned function stops watching. */
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

/** Creates the watch. For each block, the contracts of all sessions are called together. */
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
    // Unknown answers are requested again. Meanwhile no quote is accepted, because its own check fails too.
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
      // The others may have been checked at this block already.
      askedAt = null
      schedulePoll()
      return () => sessions.delete(signature)
    },
  }
}
