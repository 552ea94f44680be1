import { useChain, useObserve } from '@firmquote/react'
import type { FixedPosition } from '@firmquote/sdk'
import { usePositionsTexts } from '../../copy/positionsTexts.ts'
import { useWords } from '../../copy/words.ts'
import { useRetryAuction } from '../../fixing/auctions/useRetryAuction.ts'
import { useSilent } from '../../fixing/auctions/useSilent.ts'
import { SwitchNetwork } from '../../fixing/SwitchNetwork.tsx'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Sending } from './Sending.tsx'
import styles from './SettlePanel.module.css'

/** Records the index of a position's series shortly before maturity, from which its payout is then computed. */
export function ObservePanel({ position }: { position: FixedPosition }) {
  const { texts, formats } = useWords()
  const { observe: words } = usePositionsTexts()
  const { common } = texts
  const chain = useChain()
  const observe = useObserve(position)
  const { transaction, isPending, isReady, mutate } = observe
  const silent = useSilent(transaction.state === 'asking')
  const askAgain = useRetryAuction({ ...observe, ask: mutate })
  const { readAt } = position
  return (
    <Panel title={words.title} lead={words.lead}>
      <div className={styles['panel']}>
        {readAt !== undefined && <p>{words.last(formats.minute(readAt))}</p>}
        {chain.state === 'wrongNetwork' ? (
          <div>
            <p>{common.walletElsewhere}</p>
            <SwitchNetwork />
          </div>
        ) : (
          <p>
            <Button onClick={silent ? askAgain : mutate} busy={isPending && !silent} disabled={!isReady && !silent}>
              {silent ? common.tryAgain : words.record}
            </Button>
          </p>
        )}
        <Sending of={observe} silent={silent} said={words.saidRecorded} />
      </div>
    </Panel>
  )
}
