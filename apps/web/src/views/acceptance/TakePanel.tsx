import {
  approvalSteps,
  formatPrincipal,
  getChainName,
  type SignedQuote,
  setOperatorParameters,
  takeCalls,
  takeQuoteParameters,
} from '@firmquote/sdk'
import { useSwitchChain } from 'wagmi'
import { isNewerThan, isUnderWay, type Transaction } from '../../chain/transaction.ts'
import { useAtomicity } from '../../chain/useAtomicity.ts'
import { useChain } from '../../chain/useChain.ts'
import type { ExecutabilityReading } from '../../chain/useExecutability.ts'
import { useTransaction } from '../../chain/useTransaction.ts'
import { auctionFormHref } from '../../routes.ts'
import { useServerNow } from '../../service/serverClock.ts'
import { type Pool, useService } from '../../service/serviceContext.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { ConnectButton } from '../../ui/ConnectButton.tsx'
import { ErrorState, Notice } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { nextStep } from './nextStep.ts'
import { Progress } from './Progress.tsx'
import { secondsToSubmit } from './submissionWindow.ts'
import styles from './TakePanel.module.css'

/** The one thing to do next, and how it goes. */
export function TakePanel(props: {
  hash: string
  signed: SignedQuote
  reading: ExecutabilityReading
  pool: Pool
  taking: ReturnType<typeof useTransaction>
}) {
  const { hash, signed, reading, pool, taking } = props
  const { config } = useService()
  const chain = useChain()
  const switchChain = useSwitchChain()
  const account = chain.state === 'ready' ? chain.client.account.address : ''
  const approving = useTransaction(`${hash}.approve.${account}`)
  const resetting = useTransaction(`${hash}.reset.${account}`)
  const permitting = useTransaction(`${hash}.permit.${account}`)
  const atomic = useAtomicity()
  const left = secondsToSubmit(signed.deadline, useServerNow(250))
  const { quoteMarket: quoteMarketAddress, interestRatePool: interestRatePoolAddress } = config.contracts
  const next = nextStep(chain.state, { verdict: reading.verdict, failed: reading.error !== null, atomic })
  const { loanToken: token } = pool
  // Of two steps the second comes when the checks have seen the first.
  const approvals =
    next.step === 'approve'
      ? approvalSteps({
          allowance: next.allowance,
          amount: next.amount,
          quoteMarketAddress,
          loanToken: token.address,
        })
      : []
  const isReset = approvals.length > 1
  const allowing = isReset ? resetting : approving
  // What is confirmed is not asked for again before the checks have seen it.
  const isBusy = (transaction: Transaction) =>
    isUnderWay(transaction) || isNewerThan(transaction, reading.verdict?.block.number)

  const button = () => {
    switch (next.step) {
      case 'connect':
        return (
          <>
            <ConnectButton />
            <p>Then the quote is checked for your account.</p>
          </>
        )
      case 'switchNetwork':
        return (
          <Button
            look="main"
            onClick={() => switchChain.mutate({ chainId: config.chainId })}
            busy={switchChain.isPending}
          >
            Switch your wallet to {getChainName(config.chainId)} ({config.chainId})
          </Button>
        )
      case 'wait':
        return (
          <Button look="main" disabled>
            Reading the chain …
          </Button>
        )
      case 'unknown':
        return (
          reading.error && (
            <ErrorState title="The chain could not be read, so nothing can be sent" error={reading.error} />
          )
        )
      case 'fund':
        return <Notice tone="warning" title="Your account holds too little for the cost" />
      case 'dead':
        return (
          <ButtonLink look="main" href={auctionFormHref(signed)}>
            Ask for new quotes
          </ButtonLink>
        )
      case 'approve':
        return (
          <Button
            look="main"
            busy={isBusy(allowing.transaction)}
            onClick={() => approvals[0] && allowing.send(approvals[0])}
          >
            {isReset
              ? `Take back the allowance of ${formatPrincipal(next.allowance, token.decimals)} ${token.symbol} first`
              : `Allow ${formatPrincipal(next.amount, token.decimals)} ${token.symbol} for this quote`}
          </Button>
        )
      case 'permit':
        return (
          <Button
            look="main"
            busy={isBusy(permitting.transaction)}
            onClick={() => permitting.send(setOperatorParameters({ quoteMarketAddress, interestRatePoolAddress }))}
          >
            Let the quote market open positions for you
          </Button>
        )
      case 'takeTogether':
        return (
          <Button
            look="main"
            busy={isUnderWay(taking.transaction)}
            disabled={left <= 0}
            onClick={() => {
              const contracts = { quoteMarketAddress, interestRatePoolAddress }
              if (reading.verdict) void taking.sendTogether(takeCalls([{ signed }], reading.verdict, contracts))
            }}
          >
            Allow and take it for {formatPrincipal(signed.vrtAmount, token.decimals)} {token.symbol}
          </Button>
        )
      case 'take':
        return (
          <Button
            look="main"
            busy={isUnderWay(taking.transaction)}
            disabled={left <= 0}
            onClick={() => taking.send(takeQuoteParameters(signed, { quoteMarketAddress, maxCost: signed.vrtAmount }))}
          >
            Take it for {formatPrincipal(signed.vrtAmount, token.decimals)} {token.symbol}
          </Button>
        )
    }
  }
  const current = next.step === 'approve' ? allowing : next.step === 'permit' ? permitting : taking
  return (
    <Panel title={stepTitles[next.step]} lead={stepLeads[next.step]}>
      <div className={styles['step']}>
        {button()}
        {left > 0 && next.step !== 'dead' && (
          <p className={styles['window']}>
            Safe to submit for another{' '}
            <strong>
              {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
            </strong>
          </p>
        )}
      </div>
      {switchChain.error && <ErrorState title="The network was not switched" error={switchChain.error} />}
      <Progress transaction={current.transaction} />
    </Panel>
  )
}

const stepTitles = {
  connect: 'Connect a wallet',
  switchNetwork: 'Your wallet is on another network',
  wait: 'Checking',
  unknown: 'The chain does not answer',
  dead: 'This quote is gone',
  fund: 'Not enough to pay for it',
  approve: 'First: allow the cost',
  permit: 'First: permit the quote market',
  takeTogether: 'Take this quote',
  take: 'Take this quote',
} as const satisfies Record<ReturnType<typeof nextStep>['step'], string>

const stepLeads = {
  connect: 'Nothing is sent before you confirm it in your wallet.',
  switchNetwork: 'The quote lives on one chain alone; the checks wait until your wallet is there.',
  wait: 'The six checks come first.',
  unknown: 'Unknown is never treated as fine.',
  dead: 'It cannot be taken any more. A new auction takes 15 seconds.',
  fund: 'The cost is paid at once, when the rate is fixed.',
  approve:
    'Exactly the cost of this quote, not more; a smaller allowance that is left is taken back first. Then the checks run again.',
  permit: 'Once for your account: the market may open positions in your name, nothing else.',
  takeTogether:
    'One confirmation: your wallet allows exactly the cost, lets the market open positions in your name, and takes it. All of it happens, or nothing.',
  take: 'One transaction. It costs what is quoted or it fails: never more.',
} as const satisfies Record<ReturnType<typeof nextStep>['step'], string>
