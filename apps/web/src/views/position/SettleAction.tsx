import type { SettleResult } from '@firmquote/react'
import { usePositionsTexts } from '../../copy/positionsTexts.ts'
import { useTexts } from '../../copy/words.ts'
import { useRetryAuction } from '../../fixing/auctions/useRetryAuction.ts'
import { SwitchNetwork } from '../../fixing/SwitchNetwork.tsx'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/Notice.tsx'

/** The button for the next action, or why there is none. */
export function SettleAction(props: { settle: SettleResult; silent: boolean; press: () => void; label: string }) {
  const { settle, silent, press, label } = props
  const { settle: words } = usePositionsTexts()
  const { common } = useTexts()
  const askAgain = useRetryAuction({ ...settle, ask: press })
  const { state, isPending, isReady } = settle
  if (silent) {
    return (
      <Button look="main" onClick={askAgain}>
        {common.tryAgain}
      </Button>
    )
  }
  switch (state.step) {
    case 'switchNetwork':
      return (
        <>
          <p>{common.walletElsewhere}</p>
          <SwitchNetwork />
        </>
      )
    case 'unknown':
      return <ErrorState title={words.notKnown} error={state.error} />
    default:
      return (
        <Button look="main" onClick={press} busy={isPending} disabled={!isReady}>
          {'calls' in state ? label : common.waiting}
        </Button>
      )
  }
}
