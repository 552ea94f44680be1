import { auctionFormHref } from '../../routes.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { ConnectButton } from '../../ui/ConnectButton.tsx'
import { ViewHead } from '../../ui/ViewHead.tsx'
import styles from './Welcome.module.css'

/** What this is for; to those who have not connected a wallet yet, with the ways in. */
export function Welcome({ connected }: { connected: boolean }) {
  if (connected) return <ViewHead title="Fix the rate of your debt" />
  return (
    <section className={styles['welcome']}>
      <h1>Fix the rate of a variable-rate debt</h1>
      <p>
        Ask market makers what certainty costs. They answer within 15 seconds, you take the best quote on-chain, and
        your loan stays where it is.
      </p>
      <div className={styles['ways']}>
        <ConnectButton />
        <ButtonLink href={auctionFormHref()}>Ask for quotes first</ButtonLink>
      </div>
    </section>
  )
}
