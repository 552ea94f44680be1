import { createBatchWallet } from '@firmquote/devnet'
import type { BrowserContext } from 'playwright-core'
import { type Address, type Hex, numberToHex } from 'viem'
import { announceWallet, type WalletAnswer, type WalletCall } from './announceWallet.ts'

/** A wallet extension as a page meets it (EIP-6963, EIP-1193), with a test in the place of the person who owns it. */
export type TestWallet = {
  address: Address
  /** The methods that pages have called, in order. */
  calls: readonly string[]
  /** How often pages have called a method. */
  asked(method: string): number
  /** The next thing that the person is asked (to connect, sign, send, switch), or one after `others` more, is refused: code 4001. */
  rejectNext(others?: number): void
  /** The next such thing, or one after `others` more, stays without an answer until the function that this returns is called. */
  hangNext(others?: number): () => void
  /** The person picks another account in the wallet; the node holds it unlocked, too. */
  switchAccount(address: Address): Promise<void>
  /** The person picks another chain in the wallet. */
  switchChain(chainId: number): Promise<void>
  /** No account is shown to pages, and nothing can be asked, until `unlock`. */
  lock(): Promise<void>
  unlock(): Promise<void>
  /** The wallet's own connection to its chain ends, until `reconnect`: code 4900. */
  disconnect(): Promise<void>
  reconnect(): Promise<void>
  /** Puts the wallet into every page of a context, before the page's own scripts. */
  joinContext(context: BrowserContext): Promise<void>
  /** For a page of another kind of browser: its half calls `answer`, and hears events from `tell`. */
  joinPage(tell: (event: string, value: unknown) => Promise<void>): { answer(call: WalletCall): Promise<WalletAnswer> }
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

const batchMethods = new Set(['wallet_getCapabilities', 'wallet_sendCalls', 'wallet_getCallsStatus'])

/**
 * Creates a wallet that plays an account which the chain's node holds unlocked, as anvil does with its own. It speaks to the
 * node from here: the page makes no request to another host.
 *
 * @param options.chainId the node's, and where the wallet starts; on another chain it can only be asked to switch.
 * @param options.atomic whether it sends several calls as one (EIP-5792); `ready` changes the account at the first ones.
 * @param options.beforeCalls what happens before it sends them.
 */
export function createTestWallet(options: {
  rpcUrl: string
  chainId: number
  address: Address
  atomic?: 'supported' | 'ready'
  beforeCalls?: () => Promise<void>
}): TestWallet {
  const { rpcUrl, address, atomic, beforeCalls } = options
  const batches = atomic && createBatchWallet(options, { address, atomic })
  const calls: string[] = []
  const tellers = new Set<(event: string, value: unknown) => Promise<unknown>>()
  let chainId = options.chainId
  let connected = true
  let locked = false
  let permitted = false
  let chosen = address
  /** How the person takes what is asked next, in order; as most people do, where nothing stands here. */
  const moods: { until?: Promise<void>; refuses?: true }[] = []

  const accounts = () => (permitted && !locked ? [chosen] : [])

  async function answer({ method, params = [] }: WalletCall): Promise<WalletAnswer> {
    calls.push(method)
    if (!connected) return refusal(4900, 'The wallet is disconnected from its chain.')
    if (asksThePerson.has(method)) {
      if (locked) return refusal(4100, 'The wallet is locked.')
      const { until, refuses } = moods.shift() ?? {}
      await until
      if (refuses) return refusal(4001, 'User rejected the request.')
    }
    switch (method) {
      case 'eth_chainId':
        return { result: numberToHex(chainId) }
      case 'eth_accounts':
        return { result: accounts() }
      case 'eth_requestAccounts':
        await permit(true)
        return { result: accounts() }
      case 'wallet_requestPermissions':
        await permit(true)
        return { result: permissions() }
      case 'wallet_getPermissions':
        return { result: permitted ? permissions() : [] }
      case 'wallet_revokePermissions':
        await permit(false)
        return { result: null }
      case 'wallet_addEthereumChain':
      case 'wallet_switchEthereumChain':
        return switchTo(params[0] as { chainId: Hex })
    }
    if (asksThePerson.has(method) && !permitted) return refusal(4100, 'The page is not connected to this account.')
    if (chainId !== options.chainId) return refusal(-32603, `The test wallet has no node of chain ${chainId}.`)
    if (batches && method === 'wallet_sendCalls') await beforeCalls?.()
    if (batches && batchMethods.has(method)) return answerOf(batches.request({ method, params }))
    return forward(rpcUrl, method, params)
  }

  function permissions() {
    return [{ parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: [chosen] }] }]
  }

  async function permit(allowed: boolean): Promise<void> {
    if (permitted === allowed) return
    permitted = allowed
    await emit('accountsChanged', accounts())
  }

  async function switchTo(wanted: { chainId: Hex }): Promise<WalletAnswer> {
    if (Number(wanted.chainId) !== options.chainId) return refusal(4902, `Unrecognized chain ID ${wanted.chainId}.`)
    await switchChain(options.chainId)
    return { result: null }
  }

  async function switchChain(id: number): Promise<void> {
    if (chainId === id) return
    chainId = id
    await emit('chainChanged', numberToHex(id))
  }

  async function emit(event: string, value: unknown): Promise<void> {
    await Promise.all([...tellers].map((tell) => tell(event, value)))
  }

  async function setLocked(value: boolean): Promise<void> {
    locked = value
    await emit('accountsChanged', accounts())
  }

  return {
    address,
    calls,
    asked: (method) => calls.filter((called) => called === method).length,
    rejectNext(others = 0) {
      for (let index = moods.length; index < others; index += 1) moods.push({})
      moods[others] = { ...moods[others], refuses: true }
    },
    hangNext(others = 0) {
      let answer = () => {}
      const until = new Promise<void>((resolve) => {
        answer = resolve
      })
      for (let index = moods.length; index < others; index += 1) moods.push({})
      moods[others] = { ...moods[others], until }
      return () => answer()
    },
    async switchAccount(to) {
      chosen = to
      await emit('accountsChanged', accounts())
    },
    switchChain,
    lock: () => setLocked(true),
    unlock: () => setLocked(false),
    async disconnect() {
      connected = false
      await emit('disconnect', { code: 4900, message: 'The wallet is disconnected from its chain.' })
    },
    async reconnect() {
      connected = true
      await emit('connect', { chainId: numberToHex(chainId) })
    },
    async joinContext(context) {
      const tell = (event: string, value: unknown) =>
        Promise.all(context.pages().map((page) => page.evaluate(tellPage, { event, value })))
      tellers.add(tell)
      context.once('close', () => tellers.delete(tell))
      await context.exposeBinding('testWalletCall', (_source, call: WalletCall) => answer(call))
      await context.addInitScript(announceWallet)
    },
    joinPage(tell) {
      tellers.add(tell)
      return { answer }
    },
  }
}

function refusal(code: number, message: string): WalletAnswer {
  return { error: { code, message } }
}

async function answerOf(asked: Promise<unknown>): Promise<WalletAnswer> {
  return asked.then(
    (result) => ({ result }),
    ({ code = -32603, message }: { code?: number; message: string }) => refusal(code, message),
  )
}

async function forward(rpcUrl: string, method: string, params: readonly unknown[]): Promise<WalletAnswer> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return (await response.json()) as WalletAnswer
}

/** Runs in the page. */
function tellPage(detail: { event: string; value: unknown }): void {
  dispatchEvent(new CustomEvent('testWalletEvent', { detail }))
}
