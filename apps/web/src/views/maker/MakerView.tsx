import { poolsQuery, useService } from '@firmquote/react'
import type { BorrowerClient } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Address } from 'viem'
import { useAboutTexts } from '../../copy/aboutTexts.ts'
import { marketName } from '../../copy/marketName.ts'
import { useWords } from '../../copy/words.ts'
import { priceAttributes } from '../../fixing/offers/priceAttributes.ts'
import { useAsOf } from '../../fixing/useAsOf.ts'
import { historyHref, quoteHref } from '../../routes.ts'
import { AddressLink } from '../../ui/AddressLink.tsx'
import { Amount, Rate } from '../../ui/figures.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { Section } from '../../ui/Panel.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { useDocumentTitle } from '../../ui/useDocumentTitle.ts'
import { ViewHead } from '../../ui/ViewHead.tsx'
import styles from './MakerView.module.css'
import { type MakerFigures, type MarketQuotes, makerFigures, type TokenSum } from './makerFigures.ts'

/** A market maker's published quotes, fills and locked money, from public data. */
export function MakerView({ address }: { address: Address }) {
  const { client } = useService()
  const { formats } = useWords()
  const { maker } = useAboutTexts()
  const pools = useQuery(poolsQuery(client))
  const record = useQuery(makerQuery(client, address))
  const now = useAsOf(record)
  useDocumentTitle(maker.tab(formats.address(address)))
  return (
    <>
      <ViewHead title={maker.title}>
        <AddressLink whole address={address} />
      </ViewHead>
      <Loaded query={pools} what="markets" rows={8}>
        {(known) => (
          <Loaded query={record} what="offers" rows={8}>
            {({ quotes, account, isPartial }) => {
              const figures = makerFigures({ pools: known, quotes, positions: account.positions, now })
              return (
                <>
                  <Figures figures={figures} block={account.block} isPartial={isPartial} />
                  <Section
                    title={maker.byMarket}
                    aside={<a href={historyHref({ maker: address })}>{maker.auctions}</a>}
                  >
                    {figures.markets.length === 0 ? (
                      <EmptyState title={maker.none}>{maker.noneWhy}</EmptyState>
                    ) : (
                      <Markets markets={figures.markets} />
                    )}
                  </Section>
                </>
              )
            }}
          </Loaded>
        )}
      </Loaded>
    </>
  )
}

/** Reads a page of the maker's published quotes and of its positions. */
function makerQuery(client: BorrowerClient, maker: Address) {
  return {
    queryKey: ['maker', maker],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const [{ quotes, nextCursor }, account] = await Promise.all([
        client.getQuoteMarketQuotes({ maker, sort: 'rate', limit: 100 }, { signal }),
        client.getPositions(maker, { status: 'all', limit: 500, signal }),
      ])
      const isPartial = { quotes: nextCursor !== null, positions: (account.nextCursor ?? null) !== null }
      return { quotes, account, isPartial }
    },
    refetchInterval: 30_000,
  }
}

/** The maker's sums, each with its source. A sum of one page of many is a lower bound. */
function Figures(props: { figures: MakerFigures; block: number; isPartial: { quotes: boolean; positions: boolean } }) {
  const { figures, block, isPartial } = props
  const { formats } = useWords()
  const { maker } = useAboutTexts()
  const bounded = (figure: ReactNode, isBound: boolean) => (isBound ? maker.atLeast(figure) : figure)
  const rows: [label: string, figure: ReactNode, source: string][] = [
    [
      maker.locked,
      bounded(<Sums of={figures.locked} />, isPartial.positions),
      maker.lockedSource(figures.open, formats.count(block)),
    ],
    [
      maker.fills,
      bounded(formats.count(figures.fills), isPartial.positions),
      maker.fillsSource(figures.fills - figures.open),
    ],
    [maker.volume, bounded(<Sums of={figures.volume} />, isPartial.positions), maker.volumeSource],
    [
      maker.published,
      bounded(formats.count(figures.published), isPartial.quotes),
      maker.publishedSource(figures.takeable),
    ],
  ]
  return (
    <dl className={styles['figures']}>
      {rows.map(([label, figure, source]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={styles['figure']}>{figure}</dd>
          <dd className={styles['source']}>{source}</dd>
        </div>
      ))}
    </dl>
  )
}

function Sums({ of: sums }: { of: readonly TokenSum[] }) {
  const { maker } = useAboutTexts()
  if (sums.length === 0) return maker.nothing
  return sums.map(({ token, amount }) => (
    <span key={token.address} className={styles['sum']}>
      <Amount value={amount} token={token} />
    </span>
  ))
}

function Markets({ markets }: { markets: readonly MarketQuotes[] }) {
  const words = useWords()
  const { maker } = useAboutTexts()
  const columns: Column<MarketQuotes>[] = [
    { heading: words.texts.common.names.market, cell: ({ pool }) => marketName(pool, words) },
    { heading: maker.quotes, figure: true, cell: ({ count }) => words.formats.count(count) },
    {
      heading: maker.sizes,
      figure: true,
      cell: ({ least, most, pool: { loanToken: token } }) =>
        least === most ? (
          <Amount value={least} token={token} />
        ) : (
          maker.between(<Amount bare value={least} token={token} />, <Amount value={most} token={token} />)
        ),
    },
    {
      heading: maker.best,
      figure: true,
      cell: ({ best, pool: { loanToken: token } }) =>
        best && (
          <span
            {...priceAttributes({ ...best.stored.quote, cost: best.stored.quote.vrtAmount, expiry: best.expiry }, [
              best.stored.hash,
            ])}
          >
            <a href={quoteHref(best.stored.hash)}>
              <Rate percent={best.apy} tone="fixed" />
            </a>
            <span className={styles['source']}>
              {maker.bestFor(
                <Amount value={best.stored.quote.notional} token={token} />,
                words.formats.day(best.expiry),
              )}
            </span>
          </span>
        ),
    },
  ]
  return <Table caption={maker.caption} columns={columns} rows={markets} keyOf={({ pool }) => pool.poolId} />
}
