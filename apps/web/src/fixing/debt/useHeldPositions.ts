import { useChain, usePositions } from '@firmquote/react'
import type { AccountPositions } from '@firmquote/sdk'
import { useState } from 'react'
import type { Address } from 'viem'

/** The connected account, if any, with its positions as first loaded. */
export type HeldPositions = {
  account: Address | undefined
  positions: AccountPositions | null
  /** Whether the positions are still loading. Showing a default size before would change it while the visitor reads. */
  isEarly: boolean
}

/**
 * Loads the connected account's debts and positions, and keeps the first answer. A debt grows with each block, which
 * would change a default size while the visitor is reading.
 */
export function useHeldPositions(): HeldPositions {
  const chain = useChain()
  const account = chain.state === 'ready' ? chain.client.account.address : undefined
  const { data, isLoading } = usePositions({ address: account })
  const [held, setHeld] = useState(data)
  if (fixedOf(held) !== fixedOf(data)) setHeld(data)
  return { account, positions: held ?? null, isEarly: chain.state === 'connecting' || isLoading }
}

/** Returns a key that changes when the account fixes a rate or a different account connects. */
function fixedOf(known: AccountPositions | undefined): string {
  return known ? [known.address, ...known.positions.map(({ positionId }) => positionId)].join() : ''
}
