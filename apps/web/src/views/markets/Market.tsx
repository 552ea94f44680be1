import type { Pool, Series } from '@firmquote/react'
import { marketName } from '../../copy/marketName.ts'
import { useTexts, useWords } from '../../copy/words.ts'
import { type KnownOffer, knownApy, latestOffers, lowestOffer } from '../../fixing/offers/knownOffers.ts'
import { priceAttributes } from '../../fixing/offers/priceAttributes.ts'
import type { KnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import { auctionFormHref, curveHref, historyHref, quoteHref } from '../../routes.ts'
import { Amount, Maturity, Rate, Time } from '../../ui/figures.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { Section } from '../../ui/Panel.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import styles from './Market.module.css'

/** A market: its floating rate, and each term's best offer and best observation with their sizes. */
export function Market({ pool, offers, now }: { pool: Pool; offers: KnownOffers; now: number }) {
  const words = useWords()
  const { formats } = words
  const { common, markets } = words.texts
  const { loanToken: token, floating, poolId } = pool
  const name = marketName(pool, words)
  const best = ({ seriesKey }: Series, firm: boolean) => {
    const known = (offers.bySeries.get(seriesKey) ?? []).filter((offer) => offer.firm === firm)
    const offer = lowestOffer(latestOffers(known, now))
    return offer ? <OfferCell offer={offer} pool={pool} /> : <None offers={offers} />
  }
  const columns: Column<Series>[] = [
    { heading: common.names.until, cell: ({ expiry }) => <Maturity expiry={expiry} /> },
    { heading: markets.firm, figure: true, cell: (series) => best(series, true) },
    { heading: markets.seen, figure: true, cell: (series) => best(series, false) },
    {
      heading: common.names.available,
      figure: true,
      extra: true,
      cell: ({ capacity }) => <Amount value={capacity} token={token} />,
    },
    {
      heading: common.names.action,
      silent: true,
      figure: true,
      cell: ({ seriesKey, expiry }) => (
        <a href={auctionFormHref({ poolId, seriesKey })} aria-label={markets.askFor(name, formats.day(expiry))}>
          {common.askForOffers}
        </a>
      ),
    },
  ]
  return (
    <Section
      title={name}
      lead={markets.floating(
        <Rate percent={floating.apr} kind="apr" tone="floating" />,
        <Rate percent={floating.apy} />,
      )}
      aside={
        <p className={styles['ways']}>
          <a href={curveHref({ poolId })} aria-label={markets.curveOf(name)}>
            {markets.curve}
          </a>
          <a href={historyHref({ poolId })} aria-label={markets.recentOf(name)}>
            {markets.recent}
          </a>
        </p>
      }
    >
      {pool.series.length === 0 ? (
        <EmptyState title={markets.noTerms}>{markets.noTermsWhy}</EmptyState>
      ) : (
        <div className={styles['terms']}>
          <Table
            caption={markets.caption(name)}
            columns={columns}
            rows={pool.series}
            keyOf={({ seriesKey }) => seriesKey}
          />
        </div>
      )}
    </Section>
  )
}

function OfferCell({ offer, pool: { loanToken: token } }: { offer: KnownOffer; pool: Pool }) {
  const { markets } = useTexts()
  const size = <Amount value={offer.notional} token={token} />
  const percent = knownApy(offer)
  return (
    <span {...priceAttributes({ ...offer, cost: offer.vrtAmount }, offer.firm ? [offer.hash] : 'seen')}>
      {offer.firm ? (
        <a href={quoteHref(offer.hash)}>
          <Rate percent={percent} tone="fixed" />
        </a>
      ) : (
        <Rate percent={percent} />
      )}
      <span className={styles['note']}>
        {offer.firm ? markets.forSize(size) : markets.forSizeSeen(size, <Time at={offer.at * 1000} />)}
      </span>
    </span>
  )
}

function None({ offers }: { offers: KnownOffers }) {
  const { common, markets } = useTexts()
  return (
    <span className={styles['none']}>
      {offers.error ? markets.notKnown : offers.pending ? common.waiting : markets.noOffer}
    </span>
  )
}
