import type { ExecutabilityRequest, SignedQuote } from '@firmquote/sdk'
import { useEffect, useRef, useState } from 'react'
import { useExecutability } from '../../chain/useExecutability.ts'
import { useTransaction } from '../../chain/useTransaction.ts'
import { type Pool, useService } from '../../service/serviceContext.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { CheckList } from './CheckList.tsx'
import { Done } from './Done.tsx'
import { explainChecks } from './explainChecks.ts'
import { openedPosition } from './openedPosition.ts'
import { Progress } from './Progress.tsx'
import { TakePanel } from './TakePanel.tsx'
import { Terms } from './Terms.tsx'

/** A quote on offer: its terms, the six checks at the newest block, and the one button that comes next. */
export function Offer(props: {
  hash: string
  signed: SignedQuote
  request: ExecutabilityRequest
  pool: Pool
  expiry: number
  /** Where the other quotes are, when this one is for a part alone. */
  restHref: string | null
}) {
  const { hash, signed, pool, expiry } = props
  const { config } = useService()
  // A smaller quote than asked for is taken only by those who say so.
  const [takesLess, setTakesLess] = useState(false)
  const request = takesLess ? { ...props.request, notional: signed.notional } : props.request
  const reading = useExecutability({ hash, signed }, request)
  const taking = useTransaction(hash)
  useVerdictVoice(reading.verdict?.executable)

  const { state } = taking.transaction
  const isOnItsWay = state === 'called' || state === 'sent'
  useEffect(() => {
    // The button that had the focus is gone: what has come of it stands where the page begins.
    if (isOnItsWay || state === 'confirmed') document.getElementById('main')?.focus()
  }, [state, isOnItsWay])
  const takeable = state !== 'confirmed' && !isOnItsWay && reading.verdict?.checks[1].ok !== false
  const terms = <Terms signed={signed} hash={hash} pool={pool} expiry={expiry} takeable={takeable} />
  if (taking.transaction.state === 'confirmed') {
    const position = openedPosition(taking.transaction.logs, config.contracts.interestRatePool)
    return (
      <>
        <Done
          transaction={taking.transaction}
          position={position}
          pool={pool}
          expiry={expiry}
          restHref={props.restHref}
        />
        {terms}
      </>
    )
  }
  if (isOnItsWay) {
    return (
      <>
        <Panel title="On its way" lead="You can leave this page and come back: it will find the transaction again.">
          <Progress transaction={taking.transaction} />
        </Panel>
        {terms}
      </>
    )
  }
  return (
    <>
      {terms}
      <Panel
        title="Six checks"
        lead={
          reading.verdict
            ? `All read at block ${reading.verdict.block.number}, and again at every new block.`
            : 'Read from the chain through your wallet before anything can be sent.'
        }
      >
        <CheckList
          checks={reading.verdict ? explainChecks(reading.verdict, pool.loanToken) : null}
          token={pool.loanToken}
          onTakeLess={() => setTakesLess(true)}
        />
      </Panel>
      <TakePanel hash={hash} signed={signed} reading={reading} pool={pool} taking={taking} />
    </>
  )
}

/** Says when a quote has become usable, or no longer is. */
function useVerdictVoice(executable: boolean | undefined): void {
  const announce = useAnnounce()
  const before = useRef<boolean | undefined>(undefined)
  useEffect(() => {
    if (executable === undefined || executable === before.current) return
    if (executable) announce('All six checks have passed. The quote can be taken.')
    else if (before.current) announce('The quote can no longer be taken.')
    before.current = executable
  }, [executable, announce])
}
