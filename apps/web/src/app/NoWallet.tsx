import { walletAppsFor } from '../chain/walletApps.ts'
import { useTexts } from '../copy/words.ts'
import { CopyButton } from '../ui/CopyButton.tsx'
import styles from './WalletMenu.module.css'

/** Helps visitors without a wallet open the web app in a wallet app or install a wallet. */
export function NoWallet() {
  const { wallet } = useTexts()
  // The link omits the fragment, which may contain an auction's id, because the wallet apps' vendors see the link.
  const page = `${location.origin}/`
  const isPhone = matchMedia('(hover: none) and (pointer: coarse)').matches
  const install = (
    <a href="https://ethereum.org/wallets/find-wallet/" target="_blank" rel="noreferrer">
      {wallet.install}
    </a>
  )
  return (
    <>
      <p className={styles['note']}>{isPhone ? wallet.openInApp : wallet.none(install)}</p>
      {isPhone && (
        <ul className={styles['apps']}>
          {walletAppsFor(page).map(({ name, href }) => (
            <li key={name}>
              <a href={href} rel="noreferrer">
                {wallet.names[name]}
              </a>
            </li>
          ))}
        </ul>
      )}
      <p>
        <span className={styles['address']}>{page}</span> <CopyButton text={page} label={wallet.copyPage} words />
      </p>
    </>
  )
}
