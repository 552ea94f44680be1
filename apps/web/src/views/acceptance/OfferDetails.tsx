import { type Pool, useService } from '@firmquote/react'
import { getChainName, type SignedQuote } from '@firmquote/sdk'
import type { ReactNode } from 'react'
import { zeroAddress } from 'viem'
import { useAcceptanceTexts } from '../../copy/acceptanceTexts.ts'
import { useWords } from '../../copy/words.ts'
import { AddressLink, OfferHash } from '../../ui/AddressLink.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import styles from './OfferDetails.module.css'

/** Full addresses and hashes for support and independent verification. */
export function OfferDetails(props: {
  hash: string
  signed: SignedQuote
  pool: Pool
  block?: bigint | undefined
  /** The quote's number if several are combined, from 1. */
  index?: number
}) {
  const { hash, signed, pool, block, index } = props
  const { config } = useService()
  const { texts, formats } = useWords()
  const { receipt } = useAcceptanceTexts()
  const facts: [string, ReactNode][] = [
    [receipt.exactCost, formats.withSymbol(formats.exact(signed.vrtAmount, pool.loanToken), pool.loanToken)],
    [receipt.offer, <OfferHash key="offer" hash={hash} />],
    [texts.common.names.maker, <AddressLink key="maker" whole address={signed.maker} />],
    [
      receipt.borrower,
      signed.taker === zeroAddress ? receipt.anyone : <AddressLink key="borrower" whole address={signed.taker} />,
    ],
    [receipt.marketId, pool.poolId],
    [receipt.term, signed.seriesKey],
    [receipt.contract, <AddressLink key="contract" whole address={config.contracts.quoteMarket} />],
    [receipt.chain, `${getChainName(config.chainId)} (${config.chainId})`],
    ...(block === undefined ? [] : [[receipt.block, block.toString()] as [string, ReactNode]]),
    [receipt.signature, signed.signature],
  ]
  return (
    <Disclosure title={index === undefined ? receipt.details : receipt.detailsOf(index)}>
      <dl className={styles['facts']}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Disclosure>
  )
}
