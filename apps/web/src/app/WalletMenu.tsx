import { getChainName } from '@firmquote/sdk'
import { useConnect, useConnection, useConnectors, useDisconnect, useSwitchChain } from 'wagmi'
import { describeWallet } from '../chain/describeWallet.ts'
import { useService } from '../service/serviceContext.ts'
import { Button } from '../ui/Button.tsx'
import { walletMenuId } from '../ui/ConnectButton.tsx'
import { explainError } from '../ui/explainError.ts'
import { ShortAddress } from '../ui/figures.tsx'
import styles from './WalletMenu.module.css'

/** Connects one of the wallets that have announced themselves, and says which account is connected. */
export function WalletMenu() {
  const { config } = useService()
  const { address, isConnected, chainId, connector } = useConnection()
  const connectors = useConnectors()
  const connect = useConnect()
  const disconnect = useDisconnect()
  const switchChain = useSwitchChain()

  const elsewhere = isConnected && chainId !== config.chainId

  return (
    <>
      <Button popoverTarget={walletMenuId} look={isConnected && !elsewhere ? 'plain' : 'main'} aria-haspopup="true">
        {elsewhere ? 'Wrong network' : address ? <ShortAddress address={address} /> : 'Connect wallet'}
      </Button>
      <div id={walletMenuId} popover="auto" className={styles['menu']}>
        {isConnected && address ? (
          <>
            {connector && <p className={styles['note']}>{describeWallet(connector).name}</p>}
            <p className={styles['address']}>{address}</p>
            {elsewhere && (
              <Button
                look="main"
                busy={switchChain.isPending}
                onClick={() => switchChain.mutate({ chainId: config.chainId })}
              >
                Switch to {getChainName(config.chainId)}
              </Button>
            )}
            {switchChain.error && <p className={styles['error']}>{explainError(switchChain.error).message}</p>}
            <Button popoverTarget={walletMenuId} onClick={() => disconnect.mutate()}>
              Disconnect
            </Button>
          </>
        ) : (
          <>
            <p className={styles['title']}>Connect a wallet</p>
            {connectors.length === 0 && (
              <p className={styles['note']}>
                No wallet has announced itself. Install a browser wallet and load the page again.
              </p>
            )}
            {connectors.map((known) => {
              const { name, icon } = describeWallet(known)
              return (
                <Button
                  key={known.uid}
                  busy={connect.isPending}
                  onClick={() => {
                    connect.mutate(
                      { connector: known, chainId: config.chainId },
                      // Older browsers have no popovers: there the menu stands open.
                      { onSuccess: () => document.getElementById(walletMenuId)?.hidePopover?.() },
                    )
                  }}
                >
                  {icon && <img src={icon} alt="" width="20" height="20" />}
                  {name}
                </Button>
              )
            })}
            {connect.error && <p className={styles['error']}>{explainError(connect.error).message}</p>}
          </>
        )}
      </div>
    </>
  )
}
