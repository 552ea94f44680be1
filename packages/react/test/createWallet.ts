import { createBatchWallet } from '@firmquote/devnet'
import { type Address, createPublicClient, http, InternalRpcError, UserRejectedRequestError } from 'viem'
import { base } from 'viem/chains'
import { type Config, createConfig, injected } from 'wagmi'
import { connect } from 'wagmi/actions'

/** A wallet with one account, unlocked on the chain's node. */
export type TestWallet = ReturnType<typeof createWallet>

type WalletOptions = {
  rpcUrl: string
  address: Address
  atomic?: 'supported' | 'ready'
  /** Called with a request's parameters before the wallet sends it. May change them. */
  beforeSend?: (params: unknown) => Promise<void>
}

/** The chain, with a block time that makes viem poll as often as it may. */
const chain = { ...base, blockTime: 0 }

/** Creates a wallet that wagmi can use, backed by the chain's node. */
export function createWallet({ rpcUrl, address, atomic, beforeSend }: WalletOptions) {
  const node = createPublicClient({ chain, transport: http(rpcUrl) })
  const batches = atomic && createBatchWallet({ rpcUrl, chainId: base.id }, { address, atomic })
  const calls: string[] = []
  let rejecting = false
  let readable = true
  const hanging: Promise<void>[] = []
  const provider = {
    async request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
      calls.push(method)
      const asksPerson = /^(?:eth_send|eth_sign|wallet_send)/.test(method)
      if (!asksPerson && !readable) throw new InternalRpcError(new Error('The node is not responding.'))
      if (asksPerson) await hanging.shift()
      if (asksPerson && rejecting) {
        rejecting = false
        throw new UserRejectedRequestError(new Error('The user rejected the request.'))
      }
      if (asksPerson) await beforeSend?.(params)
      if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [address]
      if (method === 'wallet_requestPermissions') return []
      const call = { method, params } as Parameters<typeof node.request>[0]
      return batches && method.startsWith('wallet_') ? batches.request(call as never) : node.request(call)
    },
    on() {},
    removeListener() {},
  }
  const wagmi: Config = createConfig({
    chains: [chain],
    connectors: [injected({ target: { id: 'test', name: 'Test', provider: provider as never } })],
    multiInjectedProviderDiscovery: false,
    storage: null,
    transports: { [base.id]: http(rpcUrl) },
    pollingInterval: 50,
  })
  return {
    address,
    /** Config for `WagmiProvider`. The wallet is connected once `connect` resolves. */
    wagmi,
    /** Methods called so far, in order. */
    calls: calls as readonly string[],
    /** Rejects the next request that needs the user's confirmation. */
    rejectNext() {
      rejecting = true
    },
    /** Holds the next request that needs the user's confirmation until the returned function is called. */
    hangNext() {
      let answer = () => {}
      hanging.push(
        new Promise((resolve) => {
          answer = resolve
        }),
      )
      return () => answer()
    },
    /** Sets whether reads through the wallet succeed. Default true. */
    setReadable(value: boolean) {
      readable = value
    },
    async connect() {
      const [connector] = wagmi.connectors
      if (!connector) throw new TypeError('no connector')
      await connect(wagmi, { connector })
    },
  }
}
