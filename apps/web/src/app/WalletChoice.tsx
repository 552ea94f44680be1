import { useService } from '@firmquote/react'
import { Suspense } from 'react'
import { useConnect, useConnectors } from 'wagmi'
import { describeWallet } from '../chain/describeWallet.ts'
import { remoteWallets } from '../chain/remoteWallets.ts'
import { explainError } from '../copy/explainError.ts'
import { useWords } from '../copy/words.ts'
import { Button } from '../ui/Button.tsx'
import { closeWalletMenu } from '../ui/ConnectButton.tsx'
import { loadView } from '../ui/loadView.ts'
import { NoWallet } from './NoWallet.tsx'
import { useRemoteWallet } from './useRemoteWallet.ts'
import styles from './WalletMenu.module.css'

const PairingCode = loadView(async () => (await import('./PairingCode.tsx')).PairingCode)

/** Lists available wallets: announced ones, and remote ones if the operator has enabled them. */
export function WalletChoice() {
  const { config } = useService()
  const words = useWords()
  const { wallet: texts } = words.texts
  const isRemote = ({ id }: { id: string }) => remoteWallets.some((wallet) => wallet.id === id)
  const announced = useConnectors().filter((connector) => !isRemote(connector))
  // Set the callbacks on the hook, not on the call: connecting unmounts this component, which would drop the call's
  // callbacks.
  const connect = useConnect({ mutation: { onSuccess: closeWalletMenu } })
  const remote = useRemoteWallet()
  const error = connect.error ?? remote.error

  return (
    <>
      <p className={styles['title']}>{texts.choose}</p>
      {remote.uri !== null ? (
        <Suspense>
          <PairingCode uri={remote.uri} onCancel={remote.cancel} />
        </Suspense>
      ) : (
        <>
          {announced.map((known) => {
            const { name, icon } = describeWallet(known)
            return (
              <Button
                key={known.uid}
                busy={connect.isPending}
                onClick={() => {
                  remote.cancel()
                  connect.mutate({ connector: known, chainId: config.chainId })
                }}
              >
                {icon && <img src={icon} alt="" width="20" height="20" />}
                {name || texts.unnamed}
              </Button>
            )
          })}
          {remote.offered.map((wallet) => (
            <Button key={wallet.id} busy={remote.isPending} onClick={() => remote.choose(wallet)}>
              {texts.names[wallet.name]}
            </Button>
          ))}
          {announced.length === 0 && <NoWallet />}
        </>
      )}
      {error && <p className={styles['error']}>{explainError(error, words).message}</p>}
    </>
  )
}
