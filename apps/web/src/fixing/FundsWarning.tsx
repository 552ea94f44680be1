import { type Pool, useChain } from '@firmquote/react'
import { useTexts } from '../copy/words.ts'
import { Amount } from '../ui/figures.tsx'
import { Notice } from '../ui/Notice.tsx'
import { judgeFunds } from './judgeFunds.ts'
import { useFunds } from './useFunds.ts'

/** Warns if the connected account cannot pay the cost, in raw units, or the network's fee. */
export function FundsWarning({ pool: { loanToken: token }, cost }: { pool: Pool; cost: bigint | null }) {
  const { funds: texts } = useTexts().fixing
  const chain = useChain()
  const { data: funds } = useFunds(token.address)
  if (chain.state !== 'ready' || !funds) return null
  const short = judgeFunds(funds, cost)
  if (short === null) return null
  return (
    <Notice tone="warning">
      <p>
        {short === 'cost'
          ? texts.tooLittle(<Amount value={funds.balance} token={token} />)
          : texts.noFee(chain.client.chain?.nativeCurrency.symbol ?? '')}
      </p>
    </Notice>
  )
}
