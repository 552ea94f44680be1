import { type Pool, type SettleResult, type Token, useChain } from '@firmquote/react'
import { type FixedPosition, repaidAmount, type SettlementReading } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import { type Address, erc20Abi, zeroAddress } from 'viem'
import { readContract } from 'viem/actions'
import { marketName } from '../../copy/marketName.ts'
import { usePositionsTexts } from '../../copy/positionsTexts.ts'
import { useWords } from '../../copy/words.ts'
import { Amount } from '../../ui/figures.tsx'
import { FixAgain } from './FixAgain.tsx'
import styles from './SettlePanel.module.css'

type Loan = SettlementReading['loans'][number]['loan']

/**
 * Shows a settlement's payments and repayments, the remaining debts, and a link to fix again.
 *
 * @param props.settled The settled positions. A position appears twice if the account is on both sides.
 * @param props.paid The withdrawn amounts in raw units, by token.
 * @param props.loans The account's loans before or after the settlement.
 * @param props.hasAsked Whether the account asked to repay.
 */
export function SettleOutcome(props: {
  settle: SettleResult
  account: Address
  settled: readonly { position: FixedPosition; pool: Pool }[]
  paid: readonly { token: Token; amount: bigint }[]
  loans: SettlementReading['loans']
  hasAsked: boolean
}) {
  const { settle, account, settled, paid, loans, hasAsked } = props
  const { formats } = useWords()
  const { settle: words } = usePositionsTexts()
  const borrowed = settled.filter(({ position }) => position.role === 'borrower')
  const markets = borrowed.filter(
    ({ pool }, index) => borrowed.findIndex((other) => other.pool.poolId === pool.poolId) === index,
  )
  return (
    <div className={styles['panel']}>
      {paid.map(({ token, amount }) => (
        <p key={token.address}>{words.doneWhy(formats.withSymbol(formats.exact(amount, token), token))}</p>
      ))}
      {markets.map(({ position, pool }) => (
        <MarketOutcome
          key={pool.poolId}
          {...{ settle, account, position, pool, hasAsked }}
          loan={loans.find(({ poolId }) => poolId === pool.poolId)?.loan}
          notional={borrowed
            .filter((other) => other.pool.poolId === pool.poolId)
            .reduce((sum, other) => sum + other.position.notional, 0n)}
          isNamed={markets.length > 1}
        />
      ))}
    </div>
  )
}

function MarketOutcome(props: {
  settle: SettleResult
  account: Address
  position: FixedPosition
  pool: Pool
  loan: Loan | undefined
  notional: bigint
  hasAsked: boolean
  isNamed: boolean
}) {
  const { settle, account, position, pool, loan, notional, hasAsked, isNamed } = props
  const words = useWords()
  const { formats } = words
  const { settle: texts } = usePositionsTexts()
  const allowance = useAllowance(account, loan, settle.reading?.block.number)
  const { loanToken: token } = pool
  const repaid = loan ? repaidAmount(settle.logs, { ...loan, account }) : 0n
  const debt = settle.data?.debts.find(({ poolId }) => poolId === pool.poolId)?.debt ?? 0n
  return (
    <>
      {isNamed && <h3>{marketName(pool, words)}</h3>}
      {repaid > 0n && (
        <p>{(debt === 0n ? texts.repaidAll : texts.repaid)(formats.withSymbol(formats.exact(repaid, token), token))}</p>
      )}
      {loan && repaid === 0n && hasAsked && <p>{texts.notRepaid}</p>}
      {debt > 0n && <p>{texts.owes(<Amount cost value={debt} token={token} />)}</p>}
      {allowance !== undefined && (
        <p>
          {allowance === 0n ? texts.noAllowance : texts.allowance(<Amount exact value={allowance} token={token} />)}
        </p>
      )}
      <FixAgain account={account} position={position} pool={pool} notional={notional} />
    </>
  )
}

/** Reads a lender's allowance for the account's loan tokens, in raw units. Undefined while unknown. */
function useAllowance(account: Address, loan: Loan | undefined, block: bigint | undefined): bigint | undefined {
  const chain = useChain()
  const client = chain.state === 'ready' ? chain.client : null
  const { lender, params } = loan ?? {}
  const { data } = useQuery({
    queryKey: ['allowance', client?.uid, account, lender, params?.loanToken, block?.toString()],
    queryFn: async () =>
      client &&
      readContract(client, {
        address: params?.loanToken ?? zeroAddress,
        abi: erc20Abi,
        functionName: 'allowance',
        args: [account, lender ?? zeroAddress],
      }),
    enabled: client !== null && loan !== undefined,
  })
  return data ?? undefined
}
