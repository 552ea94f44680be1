import { createBatchWallet } from '@firmquote/devnet'
import { type Address, createPublicClient, http, InternalRpcError, UserRejectedRequestError } from 'viem'
import { base } from 'viem/chains'
import { type Config, createConfig, injected } from 'wagmi'
import { connect } from 'wagmi/actions'

/** A wallet of one account that the chain's node holds unlocked. */
export type TestWallet = {
  address: Address
  /** For `WagmiProvider`; connected once `connect` has resolved. */
  wagmi: Config
  connect(): Promise<void>
  /** The next thing that its person is asked is refused. */
  rejectNext(): void
  /** The next thing that its person is asked stays without an answer until the function that this returns is called. */
  hangNext(): () => void
  /** Whether the chain can be read through it; true until told. */
  setReadable(readable: boolean): void
  /** The methods that were called, in order. */
  calls: readonly string[]
}

type WalletOptions = { rpcUrl: string; address: Address; atomic?: 'supported' | 'ready' }

/** Creates a wallet as wagmi meets one, with the chain's node behind it. */
export function createWallet({ rpcUrl, address, atomic }: WalletOptions): TestWallet {
  const node = createPublicClient({ chain: base, transport: http(rpcUrl) })
  const batches = atomic && createBatchWallet({ rpcUrl, chainId: base.id }, { address, atomic })
  const calls: string[] = []
  let rejecting = false
  let readable = true
  const hanging: Promise<void>[] = []
  const provider = {
    async request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
      calls.push(method)
      const asksPerson = /^(?:eth_send|eth_sign|wallet_send)/.test(method)
      if (!asksPerson && !readable) throw new InternalRpcError(new Error('The node does not answer.'))
      if (asksPerson) await hanging.shift()
      if (asksPerson && rejecting) {
        rejecting = false
        throw new UserRejectedRequestError(new Error('The person has refused.'))
      }
      if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [address]
      if (method === 'wallet_requestPermissions') return []
      const call = { method, params } as Parameters<typeof node.request>[0]
      return batches && method.startsWith('wallet_') ? batches.request(call as never) : node.request(call)
    },
    on() {},
    removeListener() {},
  }
  const wagmi = createConfig({
    chains: [base],
    connectors: [injected({ target: { id: 'test', name: 'Test', provider: provider as never } })],
    multiInjectedProviderDiscovery: false,
    storage: null,
    transports: { [base.id]: http(rpcUrl) },
    pollingInterval: 50,
  })
  return {
    address,
    wagmi,
    calls,
    rejectNext() {
      rejecting = true
    },
    hangNext() {
      let answer = () => {}
      hanging.push(
        new Promise((resolve) => {
          answer = resolve
        }),
      )
      return () => answer()
    },
    setReadable(value) {
      readable = value
    },
    async connect() {
      const [connector] = wagmi.connectors
      if (!connector) throw new TypeError('no connector')
      await connect(wagmi, { connector })
    },
  }
}
