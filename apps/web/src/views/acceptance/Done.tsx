import type { Fill, Pool } from '@firmquote/react'
import { useEffect } from 'react'
import { useAcceptanceTexts } from '../../copy/acceptanceTexts.ts'
import { marketName } from '../../copy/marketName.ts'
import { useWords } from '../../copy/words.ts'
import { CalendarButton } from '../../fixing/debt/CalendarButton.tsx'
import { effectiveApyOf } from '../../fixing/outcome/effectiveApy.ts'
import { positionHref, positionsHref } from '../../routes.ts'
import { Hash } from '../../ui/AddressLink.tsx'
import { useAnnounce } from '../../ui/announce.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { Details } from '../../ui/Details.tsx'
import { Amount, Rate } from '../../ui/figures.tsx'
import { HeroFigure } from '../../ui/HeroFigure.tsx'
import { Panel } from '../../ui/Panel.tsx'
import styles from './Done.module.css'

/** Shows the new positions with their rate and cost, and links to them. */
export function Done(props: {
  taken: readonly Fill[]
  pool: Pool
  /** Start and end of the term, in Unix seconds. */
  from: number
  expiry: number
  /** Address for taking the rest of the requested amount, or null if none is left. */
  restHref: string | null
}) {
  const { taken, pool, from, expiry, restHref } = props
  const words = useWords()
  const { formats, texts } = words
  const { names } = texts.common
  const { done } = useAcceptanceTexts()
  const announce = useAnnounce()
  const positions = taken.filter(hasPosition)
  const [first] = positions
  const opened = first !== undefined
  const sum = (amount: (fill: Fill) => bigint) => positions.reduce((total, fill) => total + amount(fill), 0n)
  const [notional, cost] = [sum((fill) => fill.notional), sum((fill) => fill.cost)]
  useEffect(() => {
    announce(opened ? done.saidDone : done.saidNothing)
  }, [announce, opened, done])
  const { loanToken: token } = pool
  const amount = (value: bigint) => formats.withSymbol(formats.exact(value, token), token)
  return (
    <Panel title={first ? done.what(amount(notional), formats.day(expiry)) : done.confirmed}>
      <div className={styles['done']}>
        {first ? (
          <>
            {from < expiry && (
              <HeroFigure label={names.fixedRate} tone="fixed">
                <Rate percent={effectiveApyOf({ notional, vrtAmount: cost }, expiry, from)} />
              </HeroFigure>
            )}
            <dl className={styles['rows']}>
              <dt>{done.paid}</dt>
              <dd data-paid="">
                <Amount exact value={cost} token={token} />
              </dd>
              <dt>{names.market}</dt>
              <dd>{marketName(pool, words)}</dd>
            </dl>
            <p>{done.next(formats.day(expiry))}</p>
          </>
        ) : (
          <p>{done.nothingWhy}</p>
        )}
        <div className={styles['actions']}>
          {restHref !== null && (
            <ButtonLink look="main" href={restHref}>
              {done.rest}
            </ButtonLink>
          )}
          <ButtonLink
            look={restHref === null ? 'main' : 'plain'}
            href={first && positions.length === 1 ? positionHref(first.positionId) : positionsHref}
          >
            {positions.length === 1 ? done.see : done.positions}
          </ButtonLink>
          {first && <CalendarButton position={{ positionId: first.positionId, notional, expiry }} pool={pool} />}
        </div>
        <Details>
          {taken.map((fill) => (
            <div key={fill.hash}>
              <p>
                {done.transaction} <Hash hash={fill.transactionHash} />
              </p>
              <p>
                {done.block} {fill.block.toString()}
              </p>
              {fill.positionId !== null && (
                <p>
                  {done.position} {fill.positionId.toString()}
                </p>
              )}
            </div>
          ))}
        </Details>
      </div>
    </Panel>
  )
}

function hasPosition(fill: Fill): fill is Fill & { positionId: bigint } {
  return fill.positionId !== null
}
