import { type Pool, poolsQuery, useService } from '@firmquote/react'
import type { AccountPositions } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address } from 'viem'
import { useSearch } from 'wouter'
import { useRatesTexts } from '../../copy/ratesTexts.ts'
import { readAmount } from '../../copy/readAmount.ts'
import { useTexts, useWords } from '../../copy/words.ts'
import { useHeldPositions } from '../../fixing/debt/useHeldPositions.ts'
import { useKnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import { rescale } from '../../fixing/rescale.ts'
import { useAsOf } from '../../fixing/useAsOf.ts'
import { type MarketsAddress, marketsHref, parseMarketsAddress } from '../../routes.ts'
import { isUnanswered } from '../../service/isUnanswered.ts'
import { AmountInput } from '../../ui/AmountInput.tsx'
import { useAnnounce } from '../../ui/announce.tsx'
import { Field } from '../../ui/Field.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { EmptyState, ErrorState } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { SortList, type TableOrder } from '../../ui/Table.tsx'
import { ViewHead } from '../../ui/ViewHead.tsx'
import styles from './Market.module.css'
import { Market } from './Market.tsx'
import { defaultSize, sortKeys } from './marketRows.ts'

/** All markets with their variable rates, and each term's price for one size. */
export function MarketsView() {
  const { client } = useService()
  const { markets } = useRatesTexts()
  const { title, lead } = useTexts().openings.markets
  const pools = useQuery(poolsQuery(client))
  const { account, positions, isEarly } = useHeldPositions()
  return (
    <>
      <ViewHead title={title}>{lead}</ViewHead>
      <Loaded query={pools} what="markets" rows={24}>
        {([first, ...rest]) => {
          if (!first) return <EmptyState title={markets.none}>{markets.noneWhy}</EmptyState>
          if (isEarly) return <Skeleton rows={24} what="account" />
          return <List pools={[first, ...rest]} account={account} positions={positions} />
        }}
      </Loaded>
    </>
  )
}

function List(props: {
  pools: readonly [Pool, ...Pool[]]
  account: Address | undefined
  positions: AccountPositions | null
}) {
  const { pools, account, positions } = props
  const { client } = useService()
  const { common } = useTexts()
  const { markets } = useRatesTexts()
  const announce = useAnnounce()
  const now = useAsOf(useQuery(poolsQuery(client)))
  const offers = useKnownOffers(pools, account, now)
  const address = parseMarketsAddress(useSearch())
  const size = address.size ?? defaultSize(pools, positions, now)
  const order = {
    by: sortKeys.find((key) => key === address.by) ?? 'maturity',
    descending: address.descending ?? false,
  }
  const go = (change: MarketsAddress) => location.replace(marketsHref({ ...address, size, ...change }))
  const names = {
    maturity: common.names.until,
    rate: markets.rate,
    cost: common.names.totalCost,
    depth: markets.depth,
  }
  const sort = (next: TableOrder) => {
    announce(markets.sorted(names[next.by as keyof typeof names], next.descending))
    go(next)
  }
  const { decimals } = pools[0].loanToken
  return (
    <>
      <div className={styles['controls']}>
        <SizeField pools={pools} size={size} onChange={(next) => go({ size: next })} />
        <SortList options={sortKeys.map((key) => ({ sort: key, heading: names[key] }))} order={order} onOrder={sort} />
      </div>
      {offers.error && !isUnanswered(offers.error) && <ErrorState error={offers.error} title={markets.ratesMissing} />}
      {offers.pending && <Skeleton rows={24} what="rates" />}
      {(offers.pending ? [] : pools).map((pool) => (
        <Market
          key={pool.poolId}
          pool={pool}
          size={rescale(size, decimals, pool.loanToken.decimals)}
          offers={offers}
          now={now}
          order={order}
          onOrder={sort}
        />
      ))}
      <p className={styles['foot']}>{markets.note}</p>
    </>
  )
}

/** The size for which all markets show prices, in raw units of the first pool's token. */
function SizeField(props: { pools: readonly [Pool, ...Pool[]]; size: bigint; onChange: (size: bigint) => void }) {
  const { pools, size, onChange } = props
  const words = useWords()
  const { formats, texts } = words
  const { markets } = useRatesTexts()
  const token = pools[0].loanToken
  const isShared = pools.every(({ loanToken }) => loanToken.symbol === token.symbol)
  // The text being typed, or null once applied.
  const [draft, setDraft] = useState<string | null>(null)
  const read = draft === null ? { amount: size } : readAmount(draft, token, words)
  const mistake = 'mistake' in read ? read.mistake : read.amount === 0n ? texts.amounts.zero : undefined
  const type = (text: string) => {
    setDraft(text)
    const next = readAmount(text, token, words)
    if ('amount' in next && next.amount > 0n) onChange(next.amount)
  }
  return (
    <div>
      <Field
        label={isShared ? markets.size(token.symbol) : markets.sizeOfAny}
        error={mistake}
        corrections={'mistake' in read ? read.corrections : undefined}
        onCorrect={type}
      >
        {(ids) => (
          <AmountInput
            ids={ids}
            symbol={undefined}
            value={draft ?? formats.input(size, token)}
            onChange={type}
            onLeave={() => mistake === undefined && setDraft(null)}
          />
        )}
      </Field>
    </div>
  )
}
