import { useService } from '@firmquote/react'
import { getChainName } from '@firmquote/sdk'
import { useConnection, useDisconnect, useSwitchChain } from 'wagmi'
import { describeWallet } from '../chain/describeWallet.ts'
import { explainError } from '../copy/explainError.ts'
import { useWords } from '../copy/words.ts'
import { AddressLink } from '../ui/AddressLink.tsx'
import { Button } from '../ui/Button.tsx'
import { walletButtonId, walletMenuId } from '../ui/ConnectButton.tsx'
import { ShortAddress } from '../ui/figures.tsx'
import { WalletChoice } from './WalletChoice.tsx'
import styles from './WalletMenu.module.css'

/** Connects a wallet and shows the connected account. */
export function WalletMenu() {
  const { config } = useService()
  const words = useWords()
  const { wallet } = words.texts
  const { address, isConnected, chainId, connector } = useConnection()
  const disconnect = useDisconnect()
  const switchChain = useSwitchChain()

  const elsewhere = isConnected && chainId !== config.chainId

  return (
    <>
      <Button id={walletButtonId} popoverTarget={walletMenuId} look={elsewhere ? 'main' : 'plain'} aria-haspopup="true">
        {elsewhere ? wallet.wrongNetwork : address ? <ShortAddress address={address} /> : wallet.connect}
      </Button>
      <div id={walletMenuId} popover="auto" className={styles['menu']}>
        {isConnected && address ? (
          <>
            {connector && <p className={styles['note']}>{describeWallet(connector).name || wallet.unnamed}</p>}
            <p className={styles['address']}>
              <AddressLink address={address} whole />
            </p>
            {elsewhere && (
              <Button
                look="main"
                busy={switchChain.isPending}
                onClick={() => switchChain.mutate({ chainId: config.chainId })}
              >
                {wallet.switchTo(getChainName(config.chainId))}
              </Button>
            )}
            {switchChain.error && <p className={styles['error']}>{explainError(switchChain.error, words).message}</p>}
            <Button popoverTarget={walletMenuId} onClick={() => disconnect.mutate()}>
              {wallet.disconnect}
            </Button>
          </>
        ) : (
          <WalletChoice />
        )}
      </div>
    </>
  )
}
