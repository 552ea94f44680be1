import { type Pool, type TransactionCall, useService, useTransaction } from '@firmquote/react'
import { approveParameters, type Executability, setOperatorParameters } from '@firmquote/sdk'
import { useEffect } from 'react'
import { useConnection } from 'wagmi'
import { useAcceptanceTexts } from '../../copy/acceptanceTexts.ts'
import { useWords } from '../../copy/words.ts'
import { useSilent } from '../../fixing/auctions/useSilent.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/Button.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import styles from './Allowed.module.css'
import { Progress } from './Progress.tsx'

/** The account's current token allowance and permission for the market, with buttons to revoke them. */
export function Allowed({ verdict, pool }: { verdict: Executability; pool: Pool }) {
  const { contracts } = useService().config
  const { formats } = useWords()
  const { allowed } = useAcceptanceTexts()
  const { address = '' } = useConnection()
  const { loanToken: token } = pool
  const { allowance, isOperator } = verdict.checks[5]
  const { quoteMarket: quoteMarketAddress, interestRatePool: interestRatePoolAddress } = contracts
  const readAt = verdict.block.number
  if (!isOperator && allowance === 0n) return null
  return (
    <Disclosure title={allowed.title}>
      <ul className={styles['allowed']}>
        {isOperator && (
          <Permission
            keptAs={`revoke.operator.${address}`}
            label={allowed.revokeOperator}
            call={setOperatorParameters({ quoteMarketAddress, interestRatePoolAddress, approved: false })}
            readAt={readAt}
          >
            {allowed.operator}
          </Permission>
        )}
        {allowance > 0n && (
          <Permission
            keptAs={`revoke.${token.address}.${address}`}
            label={allowed.revokeAllowance}
            call={approveParameters({ loanToken: token.address, amount: 0n, quoteMarketAddress })}
            readAt={readAt}
          >
            {/* Treat 2^128 or more as unlimited. */}
            {allowance >= 2n ** 128n
              ? allowed.anyAmount(token.symbol)
              : allowed.allowance(formats.withSymbol(formats.cost(allowance, token), token))}
          </Permission>
        )}
      </ul>
    </Disclosure>
  )
}

function Permission(props: { keptAs: string; label: string; call: TransactionCall; readAt: bigint; children: string }) {
  const { keptAs, label, call, readAt, children } = props
  const { allowed } = useAcceptanceTexts()
  const { texts } = useWords()
  const announce = useAnnounce()
  const { transaction, isPending, mutate, giveUp } = useTransaction({ key: keptAs })
  const silent = useSilent(transaction.state === 'asking')
  const confirmed = transaction.state === 'confirmed'
  useEffect(() => {
    if (confirmed) announce(allowed.saidRevoked)
  }, [confirmed, announce, allowed])
  // Chain data from before the transaction's block still shows the old permission.
  const isRead = !confirmed || readAt >= transaction.block
  return (
    <li>
      <p>{children}</p>
      {silent ? (
        <Button onClick={giveUp}>{texts.common.tryAgain}</Button>
      ) : (
        <Button aria-label={label} busy={isPending || !isRead} onClick={() => mutate(call)}>
          {allowed.revoke}
        </Button>
      )}
      {transaction.state !== 'confirmed' && <Progress transaction={transaction} silent={silent} />}
    </li>
  )
}
