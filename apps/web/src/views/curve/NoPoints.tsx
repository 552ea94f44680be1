import { useQuery } from '@tanstack/react-query'
import { auctionFormHref, curveHref } from '../../routes.ts'
import { formatAmount } from '../../service/formatAmount.ts'
import { type Pool, useService } from '../../service/serviceContext.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { type CurveChoice, firmSizes } from './curvePoints.ts'
import styles from './NoPoints.module.css'
import { quoteBookQuery } from './quoteBookQuery.ts'

/** Nothing for this size: the amounts that there are quotes for, and the way to an auction. */
export function NoPoints({ choice, pool, firmOnly }: { choice: CurveChoice; pool: Pool; firmOnly: boolean }) {
  const { client } = useService()
  const { poolId, loanToken: token } = pool
  const { data } = useQuery(quoteBookQuery(client, { poolId }))
  const amount = `${formatAmount(choice.size, token)} ${token.symbol}`
  const sizes = firmSizes(data?.quotes ?? [], choice).slice(0, 4)
  return (
    <EmptyState
      title={`No ${firmOnly ? 'firm quote' : 'executable point'} for ${amount}`}
      action={
        <ButtonLink look="main" href={auctionFormHref({ poolId, notional: choice.size })}>
          Ask for quotes
        </ButtonLink>
      }
    >
      Nobody stands ready for this amount right now. In an auction every connected maker is asked for it.
      {sizes.length > 0 && (
        <span className={styles['sizes']}>
          There are firm quotes for{' '}
          {sizes.map((size, index) => (
            <span key={size}>
              {index > 0 && ', '}
              <a href={curveHref({ poolId, size, firmOnly })}>
                {formatAmount(size, token)} {token.symbol}
              </a>
            </span>
          ))}
          .
        </span>
      )}
    </EmptyState>
  )
}
