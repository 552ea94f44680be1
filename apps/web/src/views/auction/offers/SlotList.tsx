import type { RFQResult } from '@firmquote/sdk'
import { useWords } from '../../../copy/words.ts'
import { priceAttributes } from '../../../fixing/offers/priceAttributes.ts'
import { AddressLink } from '../../../ui/AddressLink.tsx'
import styles from '../Live.module.css'
import type { JudgedOffers } from './judgeOffers.ts'
import { apyOf } from './prices.ts'
import { slotsOf } from './slots.ts'

/** A slot for each maker asked, filled in as quotes arrive. */
export function SlotList({ auction, judged }: { auction: RFQResult; judged: JudgedOffers }) {
  const { texts, formats } = useWords()
  const { live } = texts.auction
  const { answered, waiting, more } = slotsOf(auction, judged)
  if (answered.length + waiting + more === 0) return null
  return (
    <div>
      <ul className={styles['slots']} aria-label={live.slots}>
        {answered.map(({ collected, standing }) => (
          <li
            key={collected.hash}
            className={`${styles['slot']} ${styles[standing]}`}
            {...priceAttributes(
              { notional: collected.quote.notional, cost: collected.quote.vrtAmount, expiry: auction.expiry },
              'seen',
            )}
          >
            <span>
              <span className="unseen">{live.answered}</span> <strong>{formats.rate(apyOf(auction, collected))}</strong>
            </span>
            <span className={styles['who']}>
              <AddressLink address={collected.quote.maker} />
              {standing === 'best' && <span className={styles['mark']}>{live.bestMark}</span>}
              {standing === 'cannot' && <span>{live.cannot}</span>}
            </span>
          </li>
        ))}
        {Array.from({ length: waiting }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: empty slots have no identity
          <li key={index} className={`${styles['slot']} ${styles['waiting']}`}>
            {live.waiting}
          </li>
        ))}
      </ul>
      {more > 0 && <p className={styles['more']}>{live.more(more)}</p>}
    </div>
  )
}
