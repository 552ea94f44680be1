import type { Fill, Pool } from '@firmquote/react'
import { useEffect, useId } from 'react'
import { useAcceptanceTexts } from '../../copy/acceptanceTexts.ts'
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

/** The new positions' rate and cost, and the next steps. */
export function Done(props: {
  taken: readonly Fill[]
  pool: Pool
  /** Start and end of the term, in Unix seconds. */
  from: number
  expiry: number
  /** The rest of the requested amount in raw units, and where to take it. Null if none is left. */
  rest: { href: string; notional: bigint } | null
}) {
  const { taken, pool, from, expiry, rest } = props
  const { formats } = useWords()
  const { done, receipt } = useAcceptanceTexts()
  const id = useId()
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
              <HeroFigure label={receipt.yourRate} tone="fixed">
                <Rate percent={effectiveApyOf({ notional, vrtAmount: cost }, expiry, from)} />
              </HeroFigure>
            )}
            <p data-paid="">
              {done.paid} <Amount cost value={cost} token={token} />
            </p>
            <section aria-labelledby={id}>
              <h3 id={id}>{done.nextTitle}</h3>
              <ul className={styles['list']}>
                {rest && (
                  <li>
                    <a href={rest.href}>{done.rest(amount(rest.notional))}</a>
                  </li>
                )}
                <li>{done.next(formats.day(expiry))}</li>
              </ul>
            </section>
          </>
        ) : (
          <p>{done.nothingWhy}</p>
        )}
        <div className={styles['actions']}>
          <ButtonLink
            look="main"
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
