import { useService } from '@firmquote/react'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Connector, useConfig, useConnect } from 'wagmi'
import { type RemoteWallet, remoteWallets } from '../chain/remoteWallets.ts'
import { useTexts } from '../copy/words.ts'
import { useWebAppSettings } from '../service/webAppSettings.ts'
import { closeWalletMenu } from '../ui/ConnectButton.tsx'

// The connector is cached for the app's lifetime, because a second connector for the same wallet would open another
// session.
const loaded = new Map<string, Connector>()

/**
 * Connects remote wallets, which operators can offer in addition to browser wallets. The code for these wallets is
 * loaded on demand. While a connection is pending, `uri` is the pairing code for the wallet app.
 */
export function useRemoteWallet() {
  const { config } = useService()
  const { walletConnectProject: projectId } = useWebAppSettings()
  const { wallet: texts } = useTexts()
  const wagmi = useConfig()
  const connect = useConnect({ mutation: { onSuccess: closeWalletMenu } })
  const attempts = useRef(0)
  const [uri, setUri] = useState<string | null>(null)

  const load = async ({ id, load }: RemoteWallet, project: string): Promise<Connector> => {
    const known = loaded.get(id) ?? wagmi.connectors.find((connector) => connector.id === id)
    if (known) return known
    const connector = wagmi._internal.connectors.setup(await load({ projectId: project, about: texts.page }))
    loaded.set(id, connector)
    return connector
  }
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: async (wallet: RemoteWallet) => {
      if (projectId === null) return
      attempts.current += 1
      const attempt = attempts.current
      // A cancelled attempt stays pending until its code expires. A cancelled attempt must not overwrite a newer code.
      const show = (next: string | null) => attempt === attempts.current && setUri(next)
      const connector = await load(wallet, projectId)
      const hear = ({ type, data }: { type: string; data?: unknown }) => {
        if (type === 'display_uri' && typeof data === 'string') show(data)
      }
      connector.emitter.on('message', hear)
      try {
        await connect.mutateAsync({ connector, chainId: config.chainId })
      } finally {
        connector.emitter.off('message', hear)
        show(null)
      }
    },
  })
  return {
    offered: projectId === null ? [] : remoteWallets,
    uri,
    isPending,
    error,
    choose: (wallet: RemoteWallet) => mutate(wallet),
    cancel: () => {
      attempts.current += 1
      setUri(null)
      reset()
    },
  }
}
