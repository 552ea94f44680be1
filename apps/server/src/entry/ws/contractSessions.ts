import type { Clock } from '@firmquote/core'
import type { ContractSignature } from '@firmquote/core/chain'
import type { Hex } from 'viem'

/** The sessions of makers that are contracts: each lasts while the contract accepts the signature that opened it. */
export type ContractSessions = {
  /** Calls back once when the contract accepts the signature no longer. The returned function ends the watch. */
  watch(signature: ContractSignature, onWithdrawn: () => void): () => void
}

/** The dependencies of {@link createContractSessions}. */
export type ContractSessionsOptions = {
  clock: Pick<Clock, 'after'>
  /** The newest block that is known; null when there is none. */
  headHash: () => Hex | null
  /** Whether the contracts accept the signatures, null where that is not known. Never rejects. */
  readSignatures: (signatures: readonly ContractSignature[]) => Promise<(boolean | null)[]>
}

/** How often is looked whether there is a new block, in milliseconds. */
const lookMs = 500

/** Creates the watch: with each block the contracts of all sessions are asked at the same time. */
export function createContractSessions({ clock, headHash, readSignatures }: ContractSessionsOptions): ContractSessions {
  const sessions = new Map<ContractSignature, () => void>()
  let askedAt: Hex | null = null
  let looking = false

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
    // What is not known is asked again; no quote is accepted meanwhile, since its own check has no answer either.
    if (!answers.includes(null)) askedAt = head
  }

  const lookAgain = () => {
    if (looking || sessions.size === 0) return
    looking = true
    clock.after(lookMs, () => {
      void poll().finally(() => {
        looking = false
        lookAgain()
      })
    })
  }

  return {
    watch(signature, onWithdrawn) {
      sessions.set(signature, onWithdrawn)
      // Its block may be one that the others were asked at.
      askedAt = null
      lookAgain()
      return () => sessions.delete(signature)
    },
  }
}
