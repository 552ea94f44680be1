import { borrowers, type Devnet, startDevnet } from '@firmquote/devnet'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { describeInBrowser } from './describeInBrowser.ts'
import { openPage } from './openPage.ts'
import { serveLocalPages } from './serveLocalPages.ts'
import { createTestWallet } from './testWallet.ts'

describeInBrowser('the test wallet', (browser) => {
  let devnet: Devnet
  let site: Awaited<ReturnType<typeof serveLocalPages>>
  const [{ address }] = borrowers
  beforeAll(async () => {
    ;[devnet, site] = await Promise.all([
      startDevnet(),
      serveLocalPages({ '/': '<!doctype html><link rel="icon" href="data:,">' }),
    ])
  }, 60_000)
  afterAll(() => Promise.all([devnet.stop(), site.close()]))

  /** A page with the wallet; what its provider answers, or the code of its refusal. */
  async function meet() {
    const wallet = createTestWallet({ rpcUrl: devnet.rpcUrl, chainId: devnet.chainId, address })
    const { page, expectQuiet, close } = await openPage(browser(), `${site.url}/`, { wallet })
    await page.evaluate(discover)
    const ask = (method: string, params: unknown[] = []) =>
      page.evaluate(
        ([method, params]) =>
          met.provider.request({ method, params }).catch(({ code }: { code: number }) => ({ code })),
        [method, params] as const,
      )
    return { wallet, page, ask, events: () => page.evaluate(() => met.events), expectQuiet, close }
  }

  test('default: found by the page, connected on request, and it sends a transaction', async () => {
    const { wallet, page, ask, events, expectQuiet, close } = await meet()
    expect(await page.evaluate(() => met.info)).toMatchObject({ name: 'Test Wallet', rdns: 'test.firmquote.wallet' })
    expect(await ask('eth_accounts')).toEqual([])
    expect(await ask('eth_sendTransaction', [{ from: address, to: address }])).toEqual({ code: 4100 })
    expect(await ask('eth_requestAccounts')).toEqual([address])
    const hash = await ask('eth_sendTransaction', [{ from: address, to: address, value: '0x1' }])
    expect(await ask('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
    expect(await ask('eth_noSuchMethod')).toEqual({ code: -32601 })
    expect(await events()).toEqual([['accountsChanged', [address]]])
    expect(wallet.calls).toContain('eth_sendTransaction')
    await page.reload()
    await page.evaluate(discover)
    expect(await ask('eth_accounts')).toEqual([address])
    expectQuiet()
    await close()
  })

  test('behavior: it refuses once when asked to', async () => {
    const { wallet, ask, close } = await meet()
    wallet.rejectNext()
    expect(await ask('eth_chainId')).toBe('0x2105')
    expect(await ask('eth_requestAccounts')).toEqual({ code: 4001 })
    expect(await ask('eth_requestAccounts')).toEqual([address])
    wallet.rejectNext()
    expect(await ask('personal_sign', ['0x00', address])).toEqual({ code: 4001 })
    expect(await ask('personal_sign', ['0x00', address])).toMatch(/^0x[0-9a-f]{130}$/)
    await close()
  })

  test('behavior: on another chain it only switches, and notifies the page', async () => {
    const { wallet, ask, events, close } = await meet()
    await ask('eth_requestAccounts')
    await wallet.switchChain(1)
    expect(await ask('eth_chainId')).toBe('0x1')
    expect(await ask('eth_blockNumber')).toEqual({ code: -32603 })
    expect(await ask('wallet_switchEthereumChain', [{ chainId: '0xa' }])).toEqual({ code: 4902 })
    wallet.rejectNext()
    expect(await ask('wallet_switchEthereumChain', [{ chainId: '0x2105' }])).toEqual({ code: 4001 })
    expect(await ask('wallet_switchEthereumChain', [{ chainId: '0x2105' }])).toBeNull()
    expect(await ask('eth_blockNumber')).toMatch(/^0x/)
    expect((await events()).slice(1)).toEqual([
      ['chainChanged', '0x1'],
      ['chainChanged', '0x2105'],
    ])
    await close()
  })

  test('behavior: locked, disconnected, and left by the page', async () => {
    const { wallet, ask, events, close } = await meet()
    await ask('eth_requestAccounts')
    await wallet.lock()
    expect(await ask('eth_accounts')).toEqual([])
    expect(await ask('eth_requestAccounts')).toEqual({ code: 4100 })
    await wallet.unlock()
    expect(await ask('eth_accounts')).toEqual([address])
    await wallet.disconnect()
    expect(await ask('eth_chainId')).toEqual({ code: 4900 })
    await wallet.reconnect()
    expect(await ask('wallet_revokePermissions', [{ eth_accounts: {} }])).toBeNull()
    expect(await ask('wallet_getPermissions')).toEqual([])
    expect((await events()).map(([event]) => event)).toEqual([
      'accountsChanged',
      'accountsChanged',
      'accountsChanged',
      'disconnect',
      'connect',
      'accountsChanged',
    ])
    await close()
  })
})

declare global {
  /** In the page: the wallet that it has met, and the events of its provider. */
  var met: {
    info: unknown
    provider: {
      request(call: { method: string; params: unknown[] }): Promise<unknown>
      on(event: string, listener: (value: unknown) => void): void
    }
    events: [string, unknown][]
  }
}

/** In the page: asks for wallets as EIP-6963 has it. */
function discover(): void {
  addEventListener('eip6963:announceProvider', (announced) => {
    globalThis.met = { ...(announced as CustomEvent<Pick<typeof met, 'info' | 'provider'>>).detail, events: [] }
  })
  dispatchEvent(new Event('eip6963:requestProvider'))
  for (const event of ['accountsChanged', 'chainChanged', 'connect', 'disconnect']) {
    met.provider.on(event, (value) => met.events.push([event, value]))
  }
}
