import { type Pool, type TakeResult, type TakeStep, useService } from '@firmquote/react'
import { getChainName, type SignedQuote } from '@firmquote/sdk'
import { useEffect, useState } from 'react'
import { useSwitchChain } from 'wagmi'
import { compareWithFloating, type FixedPrice } from '../../fixing/comparison.ts'
import { auctionFormHref } from '../../routes.ts'
import { useAcceptanceTexts } from '../../texts/acceptanceTexts.ts'
import { useWords } from '../../texts/words.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { ConnectButton } from '../../ui/ConnectButton.tsx'
import { Amount, Rate } from '../../ui/figures.tsx'
import { ErrorState } from '../../ui/Notice.tsx'
import { StickyBar } from '../../ui/StickyBar.tsx'
import styles from './ActionBar.module.css'
import { isForOther } from './isForOther.ts'

/** The one button, always in reach, with what it comes to and what happens then. */
export function ActionBar(props: {
  state: TakeStep
  take: TakeResult
  signed: SignedQuote
  price: FixedPrice
  pool: Pool
  /** The wallet has not answered for a minute. */
  silent: boolean
}) {
  const { state, take, signed, price, pool, silent } = props
  const { config } = useService()
  const { texts, formats } = useWords()
  const { take: words, steps, progress } = useAcceptanceTexts()
  const switchChain = useSwitchChain()
  const askAgain = useAskAgain(take)
  const { loanToken: token } = pool
  const { mutate, isPending: busy, secondsLeft: left } = take
  const isGone = state.step === 'dead' && !isForOther(state.verdict)
  const exact = (value: bigint) => formats.withSymbol(formats.exact(value, token), token)
  const step = (label: string, late = false) => (
    <Button look="main" busy={busy} disabled={late} onClick={mutate}>
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
        return (
          <Button
            look="main"
            onClick={() => switchChain.mutate({ chainId: config.chainId })}
            busy={switchChain.isPending}
          >
            {words.switchWallet(getChainName(config.chainId), config.chainId)}
          </Button>
        )
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
            {words.missing(exact(state.missing))}
          </Button>
        )
      case 'dead':
        return (
          <ButtonLink look={isForOther(state.verdict) ? 'plain' : 'main'} href={auctionFormHref(signed)}>
            {words.askNew}
          </ButtonLink>
        )
      case 'reset':
        return step(words.takeBack(exact(state.allowance)))
      case 'approve':
        return step(words.allow(exact(state.amount)))
      case 'permit':
        return step(words.permit)
      case 'takeTogether':
        return step(words.takeTogether(exact(price.cost)), left <= 0)
      case 'take':
        return step(words.take(exact(price.cost)), left <= 0)
    }
  }
  const note = () => {
    if (silent) return progress.silent
    if (take.transaction.state === 'asking') return progress.asking
    if (take.transaction.state === 'sent') return progress.sent
    if (busy) return progress.readAgain
    if (left > 0 && state.step !== 'dead' && state.step !== 'fund') return words.safeFor(formats.duration(left))
    return state.step === 'dead' && isForOther(state.verdict) ? steps.otherAccount.title : steps[state.step].title
  }
  return (
    <>
      {switchChain.error && <ErrorState title={words.notSwitched} error={switchChain.error} />}
      <StickyBar
        always
        summary={
          <>
            {!isGone && (
              <p className={styles['price']}>
                {words.price(
                  <Rate percent={compareWithFloating(price, pool.floating.ratePerSec).breakEvenApr} />,
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
    </>
  )
}

/** Gives the wallet's answer up and asks it again, as soon as that is possible. */
function useAskAgain(take: TakeResult): () => void {
  const { isReady, mutate, giveUp } = take
  const [wanted, setWanted] = useState(false)
  useEffect(() => {
    if (!wanted || !isReady) return
    setWanted(false)
    mutate()
  }, [wanted, isReady, mutate])
  return () => {
    setWanted(true)
    giveUp()
  }
}
