/** What a page asks of the wallet (EIP-1193). */
export type WalletCall = { method: string; params?: readonly unknown[] }

/** What the page's half gets back from Node. */
export type WalletAnswer = { result: unknown } | { error: { code: number; message: string; data?: unknown } }

declare global {
  /** The other half of the wallet, in Node. */
  function testWalletCall(call: WalletCall): Promise<WalletAnswer>
}

type Listener = (value: unknown) => void

/** The half of the test wallet that runs in the page. It is sent there as text: nothing of this file is around it then. */
export function announceWallet(): void {
  const listeners = new Map<string, Set<Listener>>()
  const provider = {
    async request(call: WalletCall) {
      const answer = await testWalletCall(call)
      if ('error' in answer) throw Object.assign(new Error(answer.error.message), answer.error)
      return answer.result
    },
    on(event: string, listener: Listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
      return provider
    },
    removeListener(event: string, listener: Listener) {
      listeners.get(event)?.delete(listener)
      return provider
    },
  }
  addEventListener('testWalletEvent', (received) => {
    const { event, value } = (received as CustomEvent<{ event: string; value: unknown }>).detail
    for (const listener of listeners.get(event) ?? []) listener(value)
  })
  const icon =
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'><path d='M0 0h1v1z'/></svg>"
  const info = { uuid: crypto.randomUUID(), name: 'Test Wallet', icon, rdns: 'test.firmquote.wallet' }
  const announce = () =>
    dispatchEvent(
      new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info: Object.freeze(info), provider }) }),
    )
  addEventListener('eip6963:requestProvider', announce)
  announce()
}
