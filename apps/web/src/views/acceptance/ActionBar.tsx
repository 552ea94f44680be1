import type { Pool, TakeResult } from '@firmquote/react'
import type { SignedQuote } from '@firmquote/sdk'
import { useState } from 'react'
import { useAcceptanceTexts } from '../../copy/acceptanceTexts.ts'
import { useWords } from '../../copy/words.ts'
import { useRetryAuction } from '../../fixing/auctions/useRetryAuction.ts'
import type { FixedPrice } from '../../fixing/outcome/comparison.ts'
import { effectiveApyOf } from '../../fixing/outcome/effectiveApy.ts'
import { SwitchNetwork } from '../../fixing/SwitchNetwork.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { ConnectButton } from '../../ui/ConnectButton.tsx'
import { Amount, Rate } from '../../ui/figures.tsx'
import { StickyBar } from '../../ui/StickyBar.tsx'
import styles from './ActionBar.module.css'
import { confirmationOf } from './confirmationOf.ts'
import { describeStep, type OpenState } from './describeStep.ts'
import { isForOther } from './isForOther.ts'

/** A bar that stays visible, with the main button, its result and what happens next. */
export function ActionBar(props: {
  state: OpenState
  take: TakeResult
  signed: SignedQuote
  price: FixedPrice
  pool: Pool
  /** Whether the wallet has been silent for a minute. */
  silent: boolean
  /** Link shown if the quote is no longer available. */
  instead: { href: string; label: string }
}) {
  const { state, take, signed, price, pool, silent, instead } = props
  const allWords = useWords()
  const { texts, formats } = allWords
  const { take: words, progress } = useAcceptanceTexts()
  // How many requests the last press asked for.
  const [planned, setPlanned] = useState(0)
  const calls = 'calls' in state && state.step !== 'takeTogether' ? state.calls.length : 0
  const confirmation = confirmationOf(planned, calls)
  const askAgain = useRetryAuction({ ...take, ask: take.mutate })
  const { loanToken: token } = pool
  const { mutate, isPending: busy, secondsLeft: left } = take
  const isGone = state.step === 'dead' && !isForOther(state.verdict)
  // A payment is rounded up, as everywhere in the review.
  const amount = (value: bigint) => formats.withSymbol(formats.cost(value, token), token)
  const step = (label: string, late = false) => (
    <Button
      look="main"
      busy={busy}
      disabled={late}
      onClick={() => {
        setPlanned(calls)
        mutate()
      }}
    >
      {label}
    </Button>
  )

  const button = () => {
    if (silent) {
      return (
        <Button look="main" onClick={askAgain}>
          {texts.common.tryAgain}
        </Button>
      )
    }
    switch (state.step) {
      case 'connect':
        return <ConnectButton />
      case 'switchNetwork':
        return <SwitchNetwork />
      case 'wait':
      case 'unknown':
        return (
          <Button look="main" disabled>
            {words.reading}
          </Button>
        )
      case 'fund':
        return (
          <Button look="main" disabled>
            {words.missing(amount(state.missing))}
          </Button>
        )
      case 'dead':
        return (
          <ButtonLink look={isForOther(state.verdict) ? 'plain' : 'main'} href={instead.href}>
            {instead.label}
          </ButtonLink>
        )
      case 'undecided':
        return step(texts.common.tryAgain, !take.isReady && !busy)
      case 'reset':
      case 'approve':
      case 'permit':
      case 'takeTogether':
        return step(words.takeTogether(amount(price.cost)), left <= 0)
      case 'take':
        return step(words.take(amount(price.cost)), left <= 0)
    }
  }
  const note = () => {
    if (silent) return texts.common.walletSilent
    if (take.transaction.state === 'asking') {
      return confirmation
        ? progress.askingOf(formats.count(confirmation.number), formats.count(confirmation.count))
        : progress.asking
    }
    if (take.transaction.state === 'called') return progress.called
    if (take.transaction.state === 'sent') return progress.sent
    if (busy) return progress.readAgain
    const described = describeStep(state, { signed, token, verdict: take.executability.data }, allWords)
    if (described && ['dead', 'fund', 'undecided'].includes(state.step)) return described.title
    return words.safeFor(formats.duration(left, 1))
  }
  return (
    <StickyBar
      always
      summary={
        <>
          {/* The button for the take says its cost. */}
          {!isGone && !('calls' in state) && (
            <p className={styles['price']}>
              {words.price(
                <Rate percent={effectiveApyOf({ ...price, vrtAmount: price.cost }, price.expiry, price.from)} />,
                <Amount cost value={price.cost} token={token} />,
              )}
            </p>
          )}
          <p className={styles['note']}>{note()}</p>
        </>
      }
    >
      <div className={styles['button']}>{button()}</div>
    </StickyBar>
  )
}
