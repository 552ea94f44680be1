import type { Pool } from '@firmquote/react'
import type { FixedPosition } from '@firmquote/sdk'
import { marketName } from '../../copy/marketName.ts'
import { usePositionsTexts } from '../../copy/positionsTexts.ts'
import { useWords } from '../../copy/words.ts'
import { usePositionRate } from '../../fixing/debt/PositionRow.tsx'
import { payoutOf } from '../../fixing/outcome/payout.ts'
import type { PayoutStage } from '../../fixing/outcome/payoutStage.ts'
import { Amount, Maturity, Rate } from '../../ui/figures.tsx'
import { HeroFigure } from '../../ui/HeroFigure.tsx'
import styles from './Figures.module.css'

/**
 * A position's terms, and the result for one side.
 *
 * @param props.stage See `payoutStage`.
 * @param props.isChainsWord Whether the settlement's amounts were read from the chain rather than from the service.
 */
export function Figures(props: {
  position: FixedPosition
  pool: Pool
  stage: PayoutStage | null
  isChainsWord: boolean
}) {
  const { position, pool, stage, isChainsWord } = props
  const words = useWords()
  const { positions } = words.texts
  const texts = usePositionsTexts()
  const { figures } = texts
  const { role, notional, cost, expiry, settleable, settlement } = position
  const { loanToken: token } = pool
  const rate = usePositionRate(position)
  const payout = payoutOf(position)
  const market = marketName(pool, words)
  const note = () => {
    if (!payout) return undefined
    if (payout.state === 'soFar') return figures.soFarNote
    if (stage === 'due') return figures.dueNote
    const exact = figures.exactly(words.formats.withSymbol(words.formats.exact(payout.amount, token), token))
    return isChainsWord ? exact : `${exact} ${figures.asService}`
  }
  return (
    <section
      className={styles['side']}
      aria-label={texts.sides[role](positions.payout[role][payout?.state ?? 'soFar'])}
    >
      <p className={styles['market']}>{role === 'maker' ? texts.asMaker(market) : texts.asBorrower(market)}</p>
      {payout ? (
        <HeroFigure
          label={positions.payout[role][payout.state]}
          {...(payout.state === 'soFar' && role === 'borrower' && { tone: 'floating' as const })}
          note={note()}
        >
          <Amount value={payout.amount} token={token} />
        </HeroFigure>
      ) : (
        <p>{figures.unknown}</p>
      )}
      {payout?.state === 'paid' && (
        <p>
          {(payout.gain < 0n ? positions.less : positions.more)[role](
            <Amount value={payout.gain < 0n ? -payout.gain : payout.gain} token={token} />,
          )}
        </p>
      )}
      <dl className={styles['figures']}>
        <div>
          <dt>{figures.amount}</dt>
          <dd>
            <Amount value={notional} token={token} />
          </dd>
        </div>
        {rate !== null && (
          <div>
            <dt>{figures.fixedAt}</dt>
            <dd>
              <Rate percent={rate} tone="fixed" />
            </dd>
          </div>
        )}
        <div>
          <dt>{role === 'maker' ? positions.earns : positions.paid}</dt>
          <dd>
            <Amount cost={role === 'borrower'} value={cost} token={token} />
          </dd>
        </div>
        <div>
          <dt>{settlement || settleable ? figures.ended : figures.ends}</dt>
          <dd>
            <Maturity expiry={expiry} />
          </dd>
        </div>
      </dl>
    </section>
  )
}
