import { type Pool, useService } from '@firmquote/react'
import { getChainName, type SignedQuote } from '@firmquote/sdk'
import type { ReactNode } from 'react'
import { zeroAddress } from 'viem'
import { useAcceptanceTexts } from '../../copy/acceptanceTexts.ts'
import { useTexts } from '../../copy/words.ts'
import { AddressLink, OfferHash } from '../../ui/AddressLink.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import styles from './OfferDetails.module.css'

/** Full addresses and hashes for support and independent verification. */
export function OfferDetails(props: { hash: string; signed: SignedQuote; pool: Pool; block: bigint | undefined }) {
  const { hash, signed, pool, block } = props
  const { config } = useService()
  const { common } = useTexts()
  const { receipt } = useAcceptanceTexts()
  const facts: [string, ReactNode][] = [
    [receipt.offer, <OfferHash key="offer" hash={hash} />],
    [common.names.maker, <AddressLink key="maker" whole address={signed.maker} />],
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
    <Disclosure title={receipt.details}>
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
