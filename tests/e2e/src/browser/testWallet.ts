import { createBatchWallet } from '@firmquote/devnet'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import type { BrowserContext } from 'playwright-core'
import { type Address, type Hex, numberToHex } from 'viem'

/** A page's request to the wallet (EIP-1193). */
type WalletCall = { method: string; params?: readonly unknown[] }
/** Errors reach the page as data, since an exception would lose its code. */
type WalletAnswer = { result: unknown } | { error: { code: number; message: string; data?: unknown } }
type Listener = (value: unknown) => void

declare global {
  /** Handles a call from the page. Runs in Node. */
  function testWalletCall(call: WalletCall): Promise<WalletAnswer>
  /** Passes an event to the page's listeners. */
  function testWalletEmit(event: string, value: unknown): void
}

const asksThePerson = new Set([
  'eth_requestAccounts',
  'eth_sendTransaction',
  'eth_signTypedData_v4',
  'personal_sign',
  'wallet_sendCalls',
  'wallet_addEthereumChain',
  'wallet_requestPermissions',
  'wallet_switchEthereumChain',
])

export type TestWallet = ReturnType<typeof createTestWallet>

/**
 * Creates a wallet extension (EIP-6963, EIP-1193) controlled by the test. The wallet uses an account that is unlocked
 * in the chain's node. It calls that node from Node.js, so that the page contacts no other host.
 *
 * @param options.chainId the node's chain, on which the wallet starts. On any other chain, the wallet accepts only a
 * switch.
 * @param options.atomic enables batches (EIP-5792). With `ready`, the account is upgraded at the first batch.
 * @param options.beforeCalls called before a batch is sent.
 * @param options.trusting makes the wallet report its node's chain id instead of its own.
 */
export function createTestWallet(options: {
  rpcUrl: string
  chainId: number
  address: Address
  atomic?: 'supported' | 'ready'
  beforeCalls?: () => Promise<void>
  trusting?: boolean
}) {
  const { address, atomic, beforeCalls, trusting } = options
  const node = createBatchWallet(options, { address, ...(atomic && { atomic }) })
  const calls: string[] = []
  const requests: WalletCall[] = []
  const emitters = new Set<(event: string, value: unknown) => Promise<unknown>>()
  /** The owner's decisions on subsequent requests, in order. If empty, the owner agrees. */
  const moods: { until?: Promise<void>; refuses?: true }[] = []
  let [chainId, chosen, locked, permitted] = [options.chainId, address, false, false]
  let fault: string | null = null

  const accounts = () => (permitted && !locked ? [chosen] : [])
  const emit = (event: string, value: unknown) => Promise.all([...emitters].map((tell) => tell(event, value)))

  async function request({ method, params = [] }: WalletCall): Promise<unknown> {
    if (asksThePerson.has(method)) {
      if (locked) throw refusal(4100, 'The wallet is locked.')
      const { until, refuses } = moods.shift() ?? {}
      await until
      if (refuses) throw refusal(4001, 'User rejected the request.')
    }
    switch (method) {
      case 'eth_chainId':
        return trusting ? node.request({ method }) : numberToHex(chainId)
      case 'eth_accounts':
        return accounts()
      case 'eth_requestAccounts':
        await permit(true)
        return accounts()
      case 'wallet_requestPermissions':
        await permit(true)
        return [{ parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: [chosen] }] }]
      case 'wallet_revokePermissions':
        await permit(false)
        return null
      case 'wallet_addEthereumChain':
      case 'wallet_switchEthereumChain': {
        const wanted = Number((params[0] as { chainId: Hex }).chainId)
        if (wanted !== options.chainId) throw refusal(4902, `Unrecognized chain ID ${wanted}.`)
        await switchChain(wanted)
        return null
      }
    }
    if (asksThePerson.has(method) && !permitted) throw refusal(4100, 'The page is not connected to this account.')
    if (chainId !== options.chainId) throw refusal(-32603, `The test wallet has no node of chain ${chainId}.`)
    if (fault !== null) throw refusal(-32603, fault)
    if (!atomic && /^wallet_/.test(method)) throw refusal(-32601, `The method ${method} does not exist.`)
    if (method === 'wallet_sendCalls') await beforeCalls?.()
    return node.request({ method, params })
  }

  /** Answers a page's call. Called directly by pages that connect the wallet manually. */
  async function answer(call: WalletCall): Promise<WalletAnswer> {
    calls.push(call.method)
    if (asksThePerson.has(call.method)) requests.push(call)
    return request(call).then(
      (result) => ({ result }),
      ({ code = -32603, message, data }) => ({ error: { code, message, data } }),
    )
  }

  async function permit(allowed: boolean): Promise<void> {
    if (permitted === allowed) return
    permitted = allowed
    await emit('accountsChanged', accounts())
  }

  /** Switches to another chain, as the owner would. */
  async function switchChain(id: number): Promise<void> {
    if (chainId === id) return
    chainId = id
    await emit('chainChanged', numberToHex(id))
  }

  async function setLocked(value: boolean): Promise<void> {
    locked = value
    await emit('accountsChanged', accounts())
  }

  return {
    address,
    /** The methods that pages have called, in order. */
    calls: calls as readonly string[],
    /** The requests that require the owner's decision, in order. */
    requests: requests as readonly WalletCall[],
    answer,
    emitters,
    switchChain,
    /** Number of calls that pages have made to a method. */
    asked: (method: string) => calls.filter((called) => called === method).length,
    /** Skips `others` requests that require the owner's decision, then rejects the next such request with code 4001. */
    rejectNext(others = 0): void {
      moods[others] = { refuses: true }
    },
    /**
     * Skips `others` requests that require the owner's decision, then leaves the next such request pending until the
     * returned function is called.
     */
    hangNext(others = 0): () => void {
      const { promise: until, resolve: release } = createDeferred()
      moods[others] = { until }
      return release
    },
    /** Makes the wallet's node answer every request with this error message, or recover with null. */
    setNodeFault(message: string | null): void {
      fault = message
    },
    /** Switches to another account that is unlocked in the node. */
    async switchAccount(to: Address): Promise<void> {
      chosen = to
      await emit('accountsChanged', accounts())
    },
    /** Hides the account and rejects every request until `unlock`. */
    lock: () => setLocked(true),
    unlock: () => setLocked(false),
    /** Adds the wallet to every page in a context, before the page's own scripts. */
    async joinContext(context: BrowserContext): Promise<void> {
      const tell = (event: string, value: unknown) =>
        Promise.all(
          context
            .pages()
            .map((page) => page.evaluate((given) => testWalletEmit(given.event, given.value), { event, value })),
        )
      emitters.add(tell)
      context.once('close', () => emitters.delete(tell))
      await context.exposeBinding('testWalletCall', (_source, call: WalletCall) => answer(call))
      await context.addInitScript(announceWallet)
    },
  }
}

function refusal(code: number, message: string): Error {
  return Object.assign(new Error(message), { code })
}

/** Announces the wallet. This function is sent to the page as text and runs there. */
export function announceWallet(): void {
  const listeners = new Map<string, Set<Listener>>()
  globalThis.testWalletEmit = (event, value) => {
    for (const listener of listeners.get(event) ?? []) listener(value)
  }
  const provider = {
    async request(call: WalletCall) {
      const answer = await testWalletCall(call)
      if ('error' in answer) throw Object.assign(new Error(answer.error.message), answer.error)
      return answer.result
    },
    on: (event: string, listener: Listener) => listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
    removeListener: (event: string, listener: Listener) => listeners.get(event)?.delete(listener),
  }
  const icon =
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'><path d='M0 0h1v1z'/></svg>"
  const info = { uuid: crypto.randomUUID(), name: 'Test Wallet', icon, rdns: 'test.firmquote.wallet' }
  const detail = Object.freeze({ info: Object.freeze(info), provider })
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  addEventListener('eip6963:requestProvider', announce)
  announce()
}
