import { type Pool, positionsQuery, useServerNow, useService } from '@firmquote/react'
import type { FixedPosition } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { usePositionsTexts } from '../../copy/positionsTexts.ts'
import { useFormats } from '../../copy/words.ts'
import { restOf, shareOfDebt } from '../../fixing/debt/unfixed.ts'
import { useBlockTime } from '../../fixing/useBlockTime.ts'
import { fixHref } from '../../routes.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Amount } from '../../ui/figures.tsx'
import { proposeAgain } from './proposeAgain.ts'
import styles from './SettlePanel.module.css'

/**
 * Proposes to fix an ended position's amount again, with a link to the filled-in calculator. Renders nothing if the
 * account has no unfixed debt in the market.
 *
 * @param props.notional Raw units of the loan token.
 */
export function FixAgain(props: { account: Address; position: FixedPosition; pool: Pool; notional: bigint }) {
  const { account, position, pool, notional } = props
  const { settle: words } = usePositionsTexts()
  const formats = useFormats()
  const { client } = useService()
  const { data } = useQuery(positionsQuery(client, account))
  const now = Math.floor(useServerNow({ intervalMs: 60_000 }) / 1000)
  const openedAt = useBlockTime(position.openedAtBlock)
  const { loanToken: token } = pool
  if (!data) return null
  const unfixed = restOf(shareOfDebt(data, pool.poolId, now), token)
  const termSeconds = openedAt === undefined ? undefined : position.expiry - openedAt
  const proposal = proposeAgain(pool, { notional, termSeconds }, { unfixed, now })
  if (!proposal) return null
  return (
    <div className={styles['panel']}>
      <p>
        {words.againWhy(
          <Amount value={proposal.notional} token={token} />,
          formats.day(proposal.expiry),
          <Amount cost value={proposal.limit} token={token} />,
        )}
      </p>
      <p>
        <ButtonLink href={fixHref(proposal)}>{words.again}</ButtonLink>
      </p>
    </div>
  )
}
