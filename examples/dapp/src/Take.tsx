import { type TakeState, type Token, useTake } from '@firmquote/react'
import { formatAddress, formatPrincipal, formatRate, type RFQResult } from '@firmquote/sdk'
import { Failure } from './Failure.tsx'

type TakeProps = {
  auction: RFQResult
  quote: RFQResult['quotes'][number]
  token: Token
  maxApr: number
  onGone: () => void
}

/** A quote's cost, and a button that takes it. The quote is rechecked on-chain at every block. */
export function Take({ auction, quote: { quote: signed, apr }, token, maxApr, onGone }: TakeProps) {
  const take = useTake({ quotes: [signed], request: auction, limit: { maxApr, unit: 'percent' } })
  const { state, transaction } = take
  const tokens = (amount: bigint) => `${formatPrincipal(amount, token.decimals)} ${token.symbol}`
  if (state.step === 'taken') {
    const [fill] = state.taken
    const positionId = fill?.positionId ?? null
    if (positionId === null) return <p role="alert">The transaction is confirmed, but has opened no position.</p>
    return <p role="status">{`Position ${positionId} is open: ${tokens(signed.notional)} at ${formatRate(apr)}`}</p>
  }
  return (
    <>
      <p role="status">{`${formatRate(apr)} a year: ${tokens(signed.vrtAmount)} for ${tokens(signed.notional)}, by ${formatAddress(signed.maker)}`}</p>
      {state.step === 'dead' ? (
        <>
          <p role="alert">This quote cannot be taken: {state.verdict.checks.find(({ ok }) => !ok)?.reason}</p>
          <button type="button" onClick={onGone}>
            Show the next one
          </button>
        </>
      ) : (
        <button type="button" disabled={!take.isReady} onClick={take.mutate}>
          {labelOf(state, tokens)}
        </button>
      )}
      {transaction.state === 'asking' && (
        <p>
          Confirm it in your wallet.{' '}
          <button type="button" onClick={take.giveUp}>
            My wallet shows nothing
          </button>
        </p>
      )}
      {transaction.state === 'reverted' && <p role="alert">The transaction was reverted, and nothing was taken.</p>}
      <Failure error={take.error} />
      <p>It can be taken for {take.secondsLeft} seconds.</p>
    </>
  )
}

function labelOf(state: TakeState, tokens: (amount: bigint) => string): string {
  switch (state.step) {
    case 'fund':
      return `You lack ${tokens(state.missing)}`
    case 'reset':
    case 'approve':
    case 'permit':
      return `Take it (${state.calls.length} confirmations)`
    case 'take':
    case 'takeTogether':
      return 'Take it'
    case 'undecided':
      return 'Try again'
    case 'onItsWay':
      return 'On its way …'
    case 'unknown':
      return 'The chain cannot be read'
    case 'switchNetwork':
      return 'Switch the network first'
    default:
      return 'Reading the chain …'
  }
}
