import { request } from 'node:http'
import { hostname } from 'node:os'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createPublicClient, createWalletClient, erc20Abi, http, numberToHex, parseEther } from 'viem'
import { devnet, useDevnet } from '../../../../packages/devnet/test/testDevnet.ts'
import { type ListeningServer, listenForTest } from '../../test/listenForTest.ts'
import { type RpcProxy, startRpcProxy } from '../../test/rpcProxy.ts'
import { createScriptedService, testDomain } from '../../test/scriptedService.ts'
import { createNodeRelay } from '../adapters/viemChain/nodeRelay.ts'

let node: RpcProxy
let server: ListeningServer

useDevnet()
beforeEach(async () => {
  node = await startRpcProxy(devnet.rpcUrl)
  const devnetOptions = { relay: createNodeRelay(node.url), demoAccount: null }
  server = await listenForTest({ service: createScriptedService().service, domain: testDomain, devnet: devnetOptions })
})
afterEach(async () => {
  await server.close()
  await node.close()
})

const ownPage = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
const call = (id: number | string, method: string, params: unknown[] = []) => ({ jsonrpc: '2.0', id, method, params })

const post = (body: unknown, headers: Record<string, string> = ownPage) =>
  fetch(`${server.url}/devnet/rpc`, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** Uses `http.request`, because fetch does not allow these headers. */
function postRaw(headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${server.url}/devnet/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.end(JSON.stringify(call(1, 'eth_chainId')))
  })
}

describe('POST /devnet/rpc', () => {
  test('default: viem in a browser, including a transaction of an unlocked account', async () => {
    const transport = http(`${server.url}/devnet/rpc`, {
      batch: true,
      fetchOptions: { headers: { 'sec-fetch-site': 'same-origin' } },
    })
    const reader = createPublicClient({ transport, pollingInterval: 20 })
    const [chainId, number, symbol] = await Promise.all([
      reader.getChainId(),
      reader.getBlockNumber(),
      reader.readContract({ address: devnet.contracts.loanToken, abi: erc20Abi, functionName: 'symbol' }),
    ])
    expect([chainId, symbol]).toEqual([devnet.chainId, 'tUSD'])
    const [from, to] = [devnet.borrowers[0].address, devnet.borrowers[1].address]
    const before = await reader.getBalance({ address: to })
    const wallet = createWalletClient({ account: from, transport })
    const hash = await wallet.sendTransaction({ chain: null, to, value: parseEther('1') })
    const receipt = await reader.waitForTransactionReceipt({ hash })
    expect(receipt.blockNumber).toBeGreaterThan(number)
    expect((await reader.getBalance({ address: to })) - before).toBe(parseEther('1'))
  })

  test('behavior: a batch is answered in order, including methods that are not relayed', async () => {
    const answer = await post([
      call(7, 'eth_chainId'),
      call('a', 'anvil_setBalance'),
      { id: 1 },
      call(0, 'eth_syncing'),
    ])
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual([
      { jsonrpc: '2.0', id: 7, result: numberToHex(devnet.chainId) },
      { jsonrpc: '2.0', id: 'a', error: { code: -32601, message: expect.any(String) } },
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: expect.any(String) } },
      { jsonrpc: '2.0', id: 0, result: false },
    ])
    expect(node.calls.map(({ method }) => method).sort()).toEqual(['eth_chainId', 'eth_syncing'])
  })

  test("behavior: the node's own refusal comes through with its data", async () => {
    const refusal = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
    node.interfere = () => ({ error: refusal })
    expect(await (await post(call(1, 'eth_call', [{}]))).json()).toEqual({ jsonrpc: '2.0', id: 1, error: refusal })
  })

  test.each([
    'anvil_impersonateAccount',
    'evm_snapshot',
    'hardhat_setCode',
    'debug_traceTransaction',
    'eth_sign',
    'eth_signTypedData_v4',
    'personal_unlockAccount',
    'ETH_CHAINID',
    'constructor',
  ])('error: %s is not passed on', async (method) => {
    const answer = await post(call(1, method))
    expect(await answer.json()).toMatchObject({ id: 1, error: { code: -32601 } })
    expect(node.calls).toEqual([])
  })

  test('error: if a request has two methods, the one that was checked is relayed', async () => {
    await post('{"jsonrpc":"2.0","id":1,"method":"anvil_mine","method":"eth_chainId"}')
    await post('{"jsonrpc":"2.0","id":1,"method":"eth_chainId","method":"anvil_mine"}')
    expect(node.calls.map(({ method }) => method)).toEqual(['eth_chainId'])
  })

  test("error: only this server's web app", async () => {
    const { host } = new URL(server.url)
    const foreign = [
      {},
      { 'sec-fetch-site': 'cross-site', origin: 'https://example.com' },
      { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site', origin: server.url },
      { origin: 'https://example.com' },
      { origin: `http://${host}.example.com` },
      { origin: 'null' },
    ]
    for (const headers of foreign) expect([headers, await postRaw(headers)]).toEqual([headers, 403])
    expect(node.calls).toEqual([])
    // Browsers send fewer headers for sites loaded from another machine without TLS.
    for (const headers of [{ origin: server.url }, { 'sec-fetch-site': 'same-origin' }]) {
      expect([headers, await postRaw(headers)]).toEqual([headers, 200])
    }
  })

  test('error: a hostname of another site that resolves to this machine', async () => {
    const { port } = new URL(server.url)
    const status = (host: string) =>
      postRaw({ host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }).then((code) => [host, code])
    for (const host of [
      'rebound.example',
      `rebound.example:${port}`,
      'localhost.example',
      '127.0.0.1.example',
      'a b',
    ]) {
      expect(await status(host)).toEqual([host, 403])
    }
    for (const host of [`localhost:${port}`, `demo.localhost:${port}`, `127.0.0.1:${port}`, '[::1]', hostname()]) {
      expect(await status(host)).toEqual([host, 200])
    }
  })

  test('error: no other page may send requests or read answers', async () => {
    const preflight = await fetch(`${server.url}/devnet/rpc`, {
      method: 'OPTIONS',
      headers: { origin: 'https://example.com', 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(405)
    const refused = await post(call(1, 'eth_chainId'), { ...ownPage, 'sec-fetch-site': 'cross-site' })
    expect(await refused.json()).toMatchObject({ id: null, error: { code: 4100 } })
    for (const answer of [refused, await post(call(1, 'eth_chainId'))]) {
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })

  test.each<[string, unknown, Record<string, string>, number, number]>([
    ['no JSON', '{', ownPage, 400, -32700],
    ['no request', '"eth_chainId"', ownPage, 200, -32600],
    ['no id', { jsonrpc: '2.0', method: 'eth_chainId' }, ownPage, 200, -32600],
    ['an empty batch', [], ownPage, 400, -32600],
    ['a batch too long', Array.from({ length: 101 }, (_, id) => call(id, 'eth_chainId')), ownPage, 400, -32600],
    ['a body too large', call(1, 'eth_call', ['0'.repeat(131_072)]), ownPage, 413, -32600],
    ['another type', call(1, 'eth_chainId'), { ...ownPage, 'content-type': 'text/plain' }, 415, -32600],
  ])('error: %s', async (_what, body, headers, status, code) => {
    const answer = await post(body, headers)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: null, error: { code, message: expect.any(String) } })
    expect(node.calls).toEqual([])
  })

  test('error: GET', async () => {
    const answer = await fetch(`${server.url}/devnet/rpc`)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('error: a node that does not answer is asked once, and its URL is not disclosed', async () => {
    node.interfere = () => ({ status: 503 })
    const answer = await post([call(1, 'eth_sendRawTransaction', ['0x00']), call(2, 'eth_chainId')])
    const text = await answer.text()
    expect(JSON.parse(text)).toMatchObject([
      { id: 1, error: { code: -32603 } },
      { id: 2, error: { code: -32603 } },
    ])
    expect(node.calls).toHaveLength(2)
    await node.close()
    expect(await (await post(call(3, 'eth_chainId'))).json()).toMatchObject({ id: 3, error: { code: -32603 } })
    expect(text + JSON.stringify(server.logs)).not.toContain('secret-key')
  })

  test('behavior: disabled by default', async () => {
    const other = await listenForTest({ service: createScriptedService().service, domain: testDomain })
    const answer = await fetch(`${other.url}/devnet/rpc`, {
      method: 'POST',
      headers: ownPage,
      body: JSON.stringify(call(1, 'eth_chainId')),
    })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ code: 'NOT_FOUND' })
    await other.close()
  })
})
