import { configQuery, useChain, useProveTaker, useService } from '@firmquote/react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useConnection } from 'wagmi'
import { isDemoWallet } from '../../chain/announceDemoWallet.ts'
import { useWords } from '../../copy/words.ts'
import { useSilent } from '../../fixing/auctions/useSilent.ts'
import { Button } from '../../ui/Button.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { ErrorState, Notice } from '../../ui/Notice.tsx'
import styles from './FixCard.module.css'

/** Lets the connected account prove that it is the requester. The proof lasts for a day or until the page reloads. */
export function ProveTaker() {
  const { client } = useService()
  const { data: config } = useSuspenseQuery(configQuery(client))
  const chain = useChain()
  const { connector } = useConnection()
  // The devnet's node sends transactions for the demo account but does not sign messages for the app.
  const isDemo = isDemoWallet(connector?.id)
  if (chain.state !== 'ready' || config.takerAudience === undefined || isDemo) return null
  const { address } = chain.client.account
  // The React key resets the state when the account changes.
  return <Proof key={address} />
}

function Proof() {
  const { texts, formats } = useWords()
  const { proof: words } = texts.home
  const { mutate, reset, isPending, error, provenUntil } = useProveTaker()
  const silent = useSilent(isPending)
  const askAgain = () => {
    reset()
    mutate()
  }
  if (provenUntil !== null) return <p className={styles['proven']}>{words.proven(formats.minute(provenUntil))}</p>
  return (
    <Disclosure title={words.title}>
      <div className={styles['proof']}>
        <p className={styles['note']}>{words.why}</p>
        {silent ? (
          <>
            <Notice tone="warning">{texts.common.walletSilent}</Notice>
            <Button onClick={askAgain}>{texts.common.tryAgain}</Button>
          </>
        ) : (
          <Button busy={isPending} onClick={() => mutate()}>
            {words.prove}
          </Button>
        )}
        {error && <ErrorState title={words.failed} error={error} />}
      </div>
    </Disclosure>
  )
}
