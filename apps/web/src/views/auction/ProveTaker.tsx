import { formatTimestamp, proveTaker } from '@firmquote/sdk'
import { useMutation } from '@tanstack/react-query'
import { useConnection } from 'wagmi'
import { demoWalletId } from '../../chain/announceDemoWallet.ts'
import { useChain } from '../../chain/useChain.ts'
import { serverNow, useServerNow } from '../../service/serverClock.ts'
import { useService } from '../../service/serviceContext.ts'
import { findProof, keepProof, proofEnd } from '../../service/takerProofs.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/Notice.tsx'
import styles from './AuctionForm.module.css'

/** Lets a connected account prove that it is the one that asks. The proof is good for a day, or until the page is loaded anew. */
export function ProveTaker() {
  const { client, config } = useService()
  const chain = useChain()
  const { connector } = useConnection()
  const now = useServerNow(1_000)
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      if (chain.state !== 'ready') return
      const { account } = chain.client
      const { chainId, contracts } = config
      // The service is the one that this page comes from, whatever deployment it is for.
      const service = {
        getServiceConfig: client.getServiceConfig.bind(client),
        getConfig: () => ({ ...client.getConfig(), chainId, quoteMarketAddress: contracts.quoteMarket }),
      }
      const options = { account: account.address, walletClient: chain.client, clock: { now: serverNow } }
      const { taker, takerProof } = await proveTaker(service, options)
      keepProof(taker, takerProof)
    },
  })
  // The devnet's node sends transactions for the demo account, and signs nothing else for a page.
  const isDemo = connector?.id === demoWalletId
  if (chain.state !== 'ready' || config.takerAudience === undefined || isDemo) return null
  const proof = findProof(chain.client.account.address, now)
  if (proof) {
    return <p className={styles['note']}>Your account is proven to makers until {formatTimestamp(proofEnd(proof))}.</p>
  }
  return (
    <div className={styles['send']}>
      <p className={styles['note']}>
        Optional: one signature proves for a day that this account asks. Makers then see that it owes what it wants to
        fix, and keep more of their money for it. It moves nothing, allows nothing and costs nothing.
      </p>
      <Button type="button" busy={isPending} onClick={() => mutate()}>
        Prove that the account is yours
      </Button>
      {error && <ErrorState title="The account was not proven" error={error} />}
    </div>
  )
}
