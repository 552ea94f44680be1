import type { OpenedPosition, Pool, Transaction } from '@firmquote/react'
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

/** A confirmed transaction's result: the new position, its cost, and a link to it. */
export function Done(props: {
  transaction: Extract<Transaction, { state: 'confirmed' }>
  position: OpenedPosition | null
  pool: Pool
  /** Start and end of the term, in Unix seconds. */
  from: number
  expiry: number
  /** Link for taking the rest of the requested amount, or null if none is left. */
  rest: { href: string; label: string } | null
}) {
  const { transaction, position, pool, from, expiry, rest } = props
  const words = useWords()
  const { formats, texts } = words
  const { names } = texts.common
  const { done } = useAcceptanceTexts()
  const announce = useAnnounce()
  const opened = position !== null
  useEffect(() => {
    announce(opened ? done.saidDone : done.saidNothing)
  }, [announce, opened, done])
  const { loanToken: token } = pool
  const amount = (value: bigint) => formats.withSymbol(formats.exact(value, token), token)
  return (
    <Panel title={position ? done.what(amount(position.notional), formats.day(expiry)) : done.confirmed}>
      <div className={styles['done']}>
        {position ? (
          <>
            {from < expiry && (
              <HeroFigure label={names.fixedRate} tone="fixed">
                <Rate percent={effectiveApyOf({ ...position, vrtAmount: position.cost }, expiry, from)} />
              </HeroFigure>
            )}
            <dl className={styles['rows']}>
              <dt>{done.paid}</dt>
              <dd data-paid="">
                <Amount exact value={position.cost} token={token} />
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
          {rest !== null && (
            <ButtonLink look="main" href={rest.href}>
              {rest.label}
            </ButtonLink>
          )}
          <ButtonLink
            look={rest === null ? 'main' : 'plain'}
            href={position ? positionHref(position.positionId) : positionsHref}
          >
            {position ? done.see : done.positions}
          </ButtonLink>
          {position && <CalendarButton position={{ ...position, expiry }} pool={pool} />}
        </div>
        <Details>
          <p>
            {done.transaction} <Hash hash={transaction.hash} />
          </p>
          <p>
            {done.block} {transaction.block.toString()}
          </p>
          {position && (
            <p>
              {done.position} {position.positionId.toString()}
            </p>
          )}
        </Details>
      </div>
    </Panel>
  )
}
