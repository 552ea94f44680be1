import { Suspense, useState } from 'react'
import { loadView } from '../../ui/loadView.ts'
import type { SettleAllProps } from './SettleAllPanel.tsx'
import { countPositions } from './settleTotals.ts'

const SettleAllPanel = loadView(async () => (await import('./SettleAllPanel.tsx')).SettleAllPanel)

/**
 * Settles all matured positions, withdraws all credits and repays debts after one press. Appears once at least two
 * positions have matured, and then stays to show the outcome.
 */
export function SettleAll(props: SettleAllProps) {
  const isOffered = countPositions(props.due) > 1
  const [wasOffered, setOffered] = useState(isOffered)
  if (isOffered && !wasOffered) setOffered(true)
  return (
    wasOffered && (
      <Suspense fallback={null}>
        <SettleAllPanel {...props} />
      </Suspense>
    )
  )
}
