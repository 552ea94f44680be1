import type { AuctionState, Pool } from '@firmquote/react'
import { useWords } from '../../copy/words.ts'
import { priceAttributes } from '../../fixing/offers/priceAttributes.ts'
import { Amount, Rate } from '../../ui/figures.tsx'
import { HeroFigure } from '../../ui/HeroFigure.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Countdown } from './Countdown.tsx'
import styles from './Live.module.css'
import type { JudgedOffers } from './offers/judgeOffers.ts'
import { apyOf, priceOf } from './offers/prices.ts'
import { SlotList } from './offers/SlotList.tsx'
import { TellMe } from './TellMe.tsx'

/** An open auction: the best rate, the remaining time, and a slot for each maker asked. */
export function Live({ auction, pool, judged }: { auction: AuctionState; pool: Pool; judged: JudgedOffers }) {
  const { texts, formats } = useWords()
  const { live, offers, underWay } = texts.auction
  const { loanToken: token } = pool
  const best = judged.best.map(({ collected }) => collected)
  const price = priceOf(auction, best)
  const isChecked = judged.best.every(({ basis }) => basis !== 'none')
  const [leading, ...others] = best.map(({ hash }) => hash)
  const standing = isChecked && leading ? ([leading, ...others] as const) : 'seen'
  const first = auction.quotes.toSorted((a, b) => a.receivedAt - b.receivedAt)[0]
  const firstApy = first && apyOf(auction, first)
  const firstRate = firstApy === undefined ? undefined : formats.rate(firstApy)
  const rate = price && formats.rate(price.effectiveApy)
  const { progress } = auction
  return (
    <Panel title={underWay}>
      <div className={styles['live']}>
        <div className={styles['stage']}>
          <HeroFigure
            label={price ? live.best : live.none}
            {...(price && { data: priceAttributes(price, standing) })}
            {...(price && isChecked && { tone: 'fixed' })}
            note={
              price
                ? live.price(
                    <Amount cost value={price.cost} token={token} />,
                    <Amount value={price.notional} token={token} />,
                  )
                : auction.backers === 0
                  ? live.noMakers
                  : live.noneWhy
            }
          >
            {price ? (
              <span key={rate} className={styles['falling']}>
                <Rate percent={price.effectiveApy} />
              </span>
            ) : (
              <span aria-hidden="true">{texts.common.waiting}</span>
            )}
          </HeroFigure>
          <Countdown openedAt={auction.openedAt} closesAt={auction.closesAt} />
        </div>
        {firstApy !== undefined &&
          firstRate !== undefined &&
          price &&
          firstApy > price.effectiveApy &&
          firstRate !== rate && <p className={styles['note']}>{live.first(firstRate)}</p>}
        <SlotList auction={auction} judged={judged} />
        {progress && <p className={styles['note']}>{live.progress(progress.answered, progress.expected)}</p>}
        {auction.rejectedCount > 0 && <p className={styles['note']}>{offers.refused(auction.rejectedCount)}</p>}
        <TellMe auction={auction} pool={pool} />
      </div>
    </Panel>
  )
}
