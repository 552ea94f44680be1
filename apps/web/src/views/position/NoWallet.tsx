import { usePositionsTexts } from '../../copy/positionsTexts.ts'
import { ConnectButton } from '../../ui/ConnectButton.tsx'
import { EmptyState } from '../../ui/Notice.tsx'

/** Shown if no account is connected. */
export function NoWallet() {
  const texts = usePositionsTexts()
  return (
    <EmptyState title={texts.connect} action={<ConnectButton />}>
      {texts.connectWhy}
    </EmptyState>
  )
}
