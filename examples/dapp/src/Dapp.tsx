import { useService } from '@firmquote/react'
import { useConnect, useConnection, useConnectors, useDisconnect, useSwitchChain } from 'wagmi'
import { Ask } from './Ask.tsx'
import { Failure } from './Failure.tsx'

/** The dapp's only screen: connect a wallet, request quotes, take one. */
export function Dapp() {
  const { address } = useConnection()
  return (
    <main>
      <h1>Fix your rate</h1>
      {address ? <Account address={address} /> : <Connect />}
    </main>
  )
}

function Connect() {
  const connectors = useConnectors()
  const connect = useConnect()
  if (connectors.length === 0) return <p>There is no wallet in this browser. Install one, and load this page again.</p>
  return (
    <>
      {connectors.map((connector) => (
        <button
          key={connector.uid}
          type="button"
          disabled={connect.isPending}
          onClick={() => connect.mutate({ connector })}
        >
          Connect {connector.name}
        </button>
      ))}
      <Failure error={connect.error} />
    </>
  )
}

function Account({ address }: { address: `0x${string}` }) {
  const { chainId } = useConnection()
  const { config } = useService()
  const disconnect = useDisconnect()
  const switchChain = useSwitchChain()
  return (
    <>
      <p>
        {address}{' '}
        <button type="button" onClick={() => disconnect.mutate()}>
          Disconnect
        </button>
      </p>
      {chainId !== config.chainId && (
        <>
          <p>Your wallet is on another network: nothing can be read or taken there.</p>
          <button
            type="button"
            disabled={switchChain.isPending}
            onClick={() => switchChain.mutate({ chainId: config.chainId })}
          >
            Switch network
          </button>
          <Failure error={switchChain.error} />
        </>
      )}
      {/* The key restarts the flow for a different account. On another network, the auction continues. */}
      <Ask key={address} taker={address} />
    </>
  )
}
