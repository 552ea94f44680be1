// This file is longer than 400 lines because its table has a row for each wrong usage.

import { INTEREST_RATE_POOL_ADDRESS, PRODUCTION_DEPLOYMENT, QUOTE_MARKET_ADDRESS } from '@firmquote/addresses'
import { type HttpServer, sendJson, startHttpServer } from '@firmquote/test-support/httpServer'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Client, createPublicClient, createWalletClient, http } from 'viem'
import { base, mainnet } from 'viem/chains'
import { WebSocket } from 'ws'
import { bytes, key, maker, quote, rfqId, wireQuote, wireResult } from '../test/samples.ts'
import { serviceConfig } from '../test/serviceConfig.ts'
import { checkExecutability } from './executability/checkExecutability.ts'
import { approveParameters, takeQuoteParameters } from './executability/takeQuote.ts'
import { BaseError } from './index.ts'
import { ServiceClient } from './serviceClient.ts'
import { readSettlement } from './settling/readSettlement.ts'
import { settle } from './settling/settle.ts'
import { settleManyParameters, settleParameters, withdrawParameters } from './settling/settleParameters.ts'
import { proveTaker } from './taker/proveTaker.ts'
import { oneTransaction } from './taking/oneTransaction.ts'
import { planTakes } from './taking/planTakes.ts'
import { takeBest } from './taking/takeBest.ts'

// Mistakes that callers make. Each error must name the mistake and the remedy, before any request where possible.

const other = '0x1111111111111111111111111111111111111111'
const apiKey = 'integrator_key-of_22_characters'
const nodeKey = 'd01fce2e8a4b43a7b1d2c3'
/** A time in seconds, and the same time in milliseconds. */
const [seconds, milliseconds] = [1_798_761_600, 1_798_761_600_000]

const block = {
  ...{ number: '0x5', hash: bytes('1'), timestamp: '0x1', transactions: [], gasLimit: '0x0', gasUsed: '0x0' },
  ...{ size: '0x0', difficulty: '0x0', totalDifficulty: '0x0', baseFeePerGas: '0x0' },
}
/** A node of a chain on which no address has code. */
const rpcResults: Record<string, unknown> = {
  ...{ eth_chainId: '0x2105', eth_blockNumber: '0x5', eth_call: '0x', eth_getCode: '0x' },
  eth_getBlockByNumber: block,
}

let servers: HttpServer[]
let service: HttpServer
let node: HttpServer
let lockedNode: HttpServer
let proxy: HttpServer
let dead: HttpServer
beforeAll(async () => {
  const served = { servesConfig: true }
  service = await startHttpServer(({ path }, response) => {
    if (path === '/api/v1/config') sendJson(response, 200, serviceConfig)
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<html>')
  }, served)
  node = await startHttpServer(({ method, body }, response) => {
    if (method !== 'POST' || !body.startsWith('{"jsonrpc"'))
      return response.writeHead(405).end('Used HTTP Method is not allowed.')
    const { id, method: name } = JSON.parse(body)
    sendJson(response, 200, { jsonrpc: '2.0', id, result: rpcResults[name] })
  }, served)
  lockedNode = await startHttpServer((_request, response) => response.writeHead(401).end('Unauthorized'), served)
  proxy = await startHttpServer((_request, response) => response.writeHead(502).end('<html>'), served)
  dead = await startHttpServer(() => {}, served)
  servers = [service, node, lockedNode, proxy, dead]
  await dead.close()
})
afterAll(() => Promise.all([service, node, lockedNode, proxy].map(({ close }) => close())))

const request = { poolId: bytes('2'), seriesKey: bytes('3'), notional: 1_000_000n }
const untilExpiry = { poolId: bytes('2'), notional: 1_000_000n, expiry: seconds }
const signed = { ...quote, signature: wireQuote.signature }
const create = (given: object = {}) =>
  new ServiceClient({ orderbookUrl: service.url, ...given }, { random: () => 0, WebSocket })
const withKey = () => {
  const client = create()
  client.setPrivateKey(key)
  return client
}
const reading = (server: HttpServer, path = '') =>
  createPublicClient({ transport: http(`${server.url}${path}`, { retryCount: 0 }) })
const parameters = () => ({ request, borrower: maker, publicClient: reading(node) as Client })
const take = () => ({
  ...parameters(),
  limit: { maxApr: 8 },
  send: () => Promise.reject(new TypeError('It was sent.')),
})
const collected = { quote: signed, hash: bytes('4') }

/** A wrong value, cast to any parameter type. */
const wrong = (value: unknown) => value as never

type Row = [
  mistake: string,
  call: () => unknown,
  expected: { path?: string; words: string; code?: string; requests?: number },
]

const configs: Row[] = [
  [
    'a URL instead of the config',
    () => new ServiceClient(wrong(service.url)),
    { path: 'config', words: 'must be an object, such as { orderbookUrl }' },
  ],
  ['an empty string as config', () => new ServiceClient(wrong('')), { path: 'config', words: 'must be an object' }],
  ['an array as config', () => new ServiceClient(wrong([service.url])), { path: 'config', words: 'must be an object' }],
  [
    'a number as options',
    () => new ServiceClient({}, wrong(5_000)),
    { path: 'options', words: 'such as { timeoutMs }' },
  ],
  [
    'a URL without scheme',
    () => create({ orderbookUrl: 'localhost:3005' }),
    { path: 'orderbookUrl', words: 'a URL like http://localhost:3005' },
  ],
  [
    'the socket URL',
    () => create({ orderbookUrl: 'ws://localhost:3005' }),
    { path: 'orderbookUrl', words: 'a URL like http://localhost:3005' },
  ],
  [
    'a URL object',
    () => create({ orderbookUrl: new URL(service.url) }),
    { path: 'orderbookUrl', words: 'a URL like http://localhost:3005' },
  ],
  [
    'a URL with credentials',
    () => create({ orderbookUrl: 'https://user:hunter2@rfq.example' }),
    { path: 'orderbookUrl', words: 'without credentials' },
  ],
  [
    'a URL with a query',
    () => create({ orderbookUrl: `${service.url}?key=1` }),
    { path: 'orderbookUrl', words: 'without credentials, query' },
  ],
  ['url', () => create({ url: service.url }), { path: 'url', words: 'Use orderbookUrl' }],
  ['a viem chain', () => create({ chain: base }), { path: 'chain', words: 'Use chainId' }],
  ['a chain id as text', () => create({ chainId: '8453' }), { path: 'chainId', words: 'a positive integer' }],
  [
    'a private key in the config',
    () => create({ privateKey: key }),
    { path: 'privateKey', words: 'Use setPrivateKey' },
  ],
  ['an option in the config', () => create({ timeoutMs: 5_000 }), { path: 'timeoutMs', words: 'the second argument' }],
  [
    'a misspelled API key',
    () => new ServiceClient({}, wrong({ apikey: apiKey })),
    { path: 'apikey', words: 'Use apiKey' },
  ],
  [
    'a timeout as text',
    () => new ServiceClient({}, wrong({ timeoutMs: '10s' })),
    { path: 'timeoutMs', words: 'a number of milliseconds' },
  ],
  [
    'a name instead of an address',
    () => create({ quoteMarketAddress: 'market.eth' }),
    { path: 'quoteMarketAddress', words: 'must be an address' },
  ],
]

const requests: Row[] = [
  [
    'an expiry in milliseconds',
    () => create().requestQuotes({ ...untilExpiry, expiry: milliseconds }),
    { path: 'expiry', words: `must be in seconds: ${seconds}.` },
  ],
  [
    'an expiry in milliseconds, streamed',
    () => create().streamQuotes({ ...untilExpiry, expiry: milliseconds }),
    { path: 'expiry', words: `must be in seconds: ${seconds}.` },
  ],
  [
    'a date as expiry',
    () => create().requestQuotes({ ...untilExpiry, expiry: wrong(new Date()) }),
    { path: 'expiry', words: 'Unix seconds' },
  ],
  [
    'expiry and seriesKey',
    () => create().requestQuotes(wrong({ ...request, expiry: seconds })),
    { path: 'seriesKey', words: 'must not be given with expiry' },
  ],
  [
    'neither expiry nor seriesKey',
    () => create().requestQuotes(wrong({ poolId: bytes('2'), notional: 1n })),
    { path: 'seriesKey', words: 'is missing. Pass it or expiry.' },
  ],
  [
    'no request',
    () => create().requestQuotes(wrong(undefined)),
    { path: 'notional', words: 'is missing. Pass a bigint' },
  ],
  [
    'a number as notional',
    () => create().requestQuotes({ ...request, notional: wrong(5) }),
    { path: 'notional', words: 'must be a bigint: 5n' },
  ],
  [
    'amount',
    () => create().requestQuotes(wrong({ ...request, amount: 5n })),
    { path: 'amount', words: 'Use notional' },
  ],
  [
    'market',
    () => create().requestQuotes(wrong({ ...request, market: bytes('2') })),
    { path: 'market', words: 'Use poolId' },
  ],
  [
    'borrower',
    () => create().requestQuotes(wrong({ ...request, borrower: maker })),
    { path: 'borrower', words: 'Use taker' },
  ],
  [
    'a rate limit in the request',
    () => create().requestQuotes(wrong({ ...request, maxApr: 8 })),
    { path: 'maxApr', words: 'Use maxVrtAmount' },
  ],
  [
    'an address as poolId',
    () => create().requestQuotes({ ...request, poolId: maker }),
    { path: 'poolId', words: '32 bytes of hex (0x and 64 digits)' },
  ],
  [
    'a result instead of its id',
    () => create().getRfq(wrong(wireResult)),
    { path: 'rfqId', words: '32 lower-case hex digits' },
  ],
  [
    'a timeout instead of options',
    () => create().getRfq(rfqId, wrong(5_000)),
    { path: 'options', words: 'such as { timeoutMs }' },
  ],
  [
    'an event number as lastEventId',
    () => create().followAuction(rfqId, { lastEventId: '5' }),
    { path: 'lastEventId', words: 'the id of an event of this auction' },
  ],
  [
    'a short idempotency key',
    () => create().requestQuotes(request, { idempotencyKey: 'once' }),
    { path: 'idempotencyKey', words: '22 to 128 random characters' },
  ],
]

const deployed: Row[] = [
  [
    'an address besides a deployment',
    () => create({ deployment: PRODUCTION_DEPLOYMENT, quoteMarketAddress: other }),
    { path: 'quoteMarketAddress', words: `is ${other}, but the deployment has ${QUOTE_MARKET_ADDRESS}` },
  ],
  [
    'contracts instead of a deployment',
    () => create({ deployment: wrong(PRODUCTION_DEPLOYMENT.contracts) }),
    { path: 'deployment', words: 'such as PRODUCTION_DEPLOYMENT' },
  ],
]

const reads: Row[] = [
  [
    'getAddress() without a key',
    () => create().getPositions(wrong(create().getAddress())),
    { path: 'address', words: 'is null. Call setPrivateKey or setAccount first.' },
  ],
  [
    'a name instead of an account',
    () => create().getPositions(wrong('vitalik.eth')),
    { path: 'address', words: 'must be an address' },
  ],
  [
    'a time range in milliseconds',
    () => create().getRateHistory({ poolId: bytes('2'), from: milliseconds }),
    { path: 'from', words: `must be in seconds: ${seconds}.` },
  ],
  [
    'an unknown filter',
    () => create().getRateHistory(wrong({ pool: bytes('2') })),
    { path: 'pool', words: 'is unknown. Use poolId, from, to.' },
  ],
  [
    'a number as an amount in a filter',
    () => create().getPoolRates({ notional: wrong(5) }),
    { path: 'notional', words: 'must be a bigint: 5n' },
  ],
  ['a short hash', () => create().getQuoteMarketQuote('0x12'), { path: 'hash', words: '32 bytes of hex' }],
]

const makers: Row[] = [
  [
    'signing without a key',
    () => create().signQuoteMarketQuote(quote),
    { code: 'SIGNER_MISSING', words: 'Call setPrivateKey or setAccount first' },
  ],
  [
    'a maker from getAddress() without a key',
    () => withKey().signQuoteMarketQuote({ ...quote, maker: wrong(null) }),
    { path: 'maker', words: 'is null. Call setPrivateKey or setAccount first.' },
  ],
  [
    "another account's quote",
    () => withKey().signQuoteMarketQuote({ ...quote, maker: other }),
    { code: 'MAKER_MISMATCH', words: 'but the signer is 0xf39F' },
  ],
  [
    'a deadline in milliseconds',
    () => withKey().signQuoteMarketQuote({ ...quote, deadline: BigInt(milliseconds) }),
    { path: 'deadline', words: `must be in seconds: ${seconds}n.` },
  ],
  [
    'a short salt',
    () => withKey().signQuoteMarketQuote({ ...quote, salt: '0x12' }),
    { path: 'salt', words: '32 bytes of hex' },
  ],
  [
    'a key without 0x',
    () => create().setPrivateKey(wrong(key.slice(2))),
    { code: 'INVALID_PRIVATE_KEY', words: '0x and 64 digits' },
  ],
  [
    'an address as key',
    () => create().setPrivateKey(maker),
    { code: 'INVALID_PRIVATE_KEY', words: '0x and 64 digits' },
  ],
  [
    'an account without its wallet client',
    () => create().setAccount(maker, wrong(undefined)),
    { path: 'walletClient', words: 'a viem wallet client' },
  ],
  [
    'publishing an unsigned quote',
    () => create().submitQuoteMarketQuote(wrong(quote)),
    { path: 'signature', words: 'must be hex' },
  ],
  [
    'connecting without a key',
    () => create().connectWebSocket(),
    { code: 'SIGNER_MISSING', words: 'Call setPrivateKey or setAccount first' },
  ],
  [
    'a function as events',
    () => withKey().connectWebSocket(wrong(() => {})),
    { path: 'events', words: 'an object of callbacks' },
  ],
  ['onQuote', () => withKey().connectWebSocket(wrong({ onQuote() {} })), { path: 'onQuote', words: 'Use onRFQ' }],
  [
    'a read without a key',
    () => create().getMakerQuotes(),
    { code: 'SIGNER_MISSING', words: 'Call setPrivateKey or setAccount first' },
  ],
  [
    'a proof without an account',
    () => proveTaker(create(), wrong({})),
    { path: 'account', words: 'must be an address' },
  ],
]

const takes: Row[] = [
  [
    'the result instead of its quotes',
    () => takeBest(wrong({ quotes: [collected] }), take()),
    { path: 'quotes', words: 'must be an array, such as result.quotes' },
  ],
  [
    'a promise of quotes',
    () => planTakes(wrong(Promise.resolve([])), take()),
    { path: 'quotes', words: 'must be an array, such as result.quotes' },
  ],
  [
    'signed quotes instead of collected ones',
    () => takeBest(wrong([signed]), take()),
    { path: 'quotes.0.quote', words: 'must be a signed quote, such as result.quotes[0].quote' },
  ],
  [
    'quotes in wire form',
    () => takeBest(wrong([{ quote: wireQuote }]), take()),
    { path: 'notional', words: 'must be a bigint: 1000000000000n' },
  ],
  [
    '7 % as a fraction',
    () => takeBest([], { ...take(), limit: { maxApr: 0.07 } }),
    { path: 'limit.maxApr', words: "means 0.07 %. Pass 7 for 7 %, or add unit: 'percent'." },
  ],
  [
    'a limit as a number',
    () => takeBest([], { ...take(), limit: wrong(8) }),
    { path: 'limit', words: 'exactly one of maxVrtAmount and maxApr' },
  ],
  [
    'no limit',
    () => planTakes([], { ...take(), limit: wrong(undefined) }),
    { path: 'limit', words: 'exactly one of maxVrtAmount and maxApr' },
  ],
  [
    'a rate as text',
    () => takeBest([], { ...take(), limit: { maxApr: wrong('8 %') } }),
    { path: 'limit.maxApr', words: 'a percentage' },
  ],
  ['no send', () => takeBest([], { ...take(), send: wrong(undefined) }), { path: 'send', words: 'must be a function' }],
  [
    'no series',
    () => takeBest([], { ...take(), request: wrong(untilExpiry) }),
    { path: 'request.seriesKey', words: "as in the auction's result" },
  ],
  [
    'latestExpiry in milliseconds',
    () => takeBest([], { ...take(), request: { ...request, latestExpiry: milliseconds } }),
    { path: 'request.latestExpiry', words: `must be in seconds: ${seconds}.` },
  ],
  [
    'no public client',
    () => takeBest([], { ...take(), publicClient: wrong(undefined) }),
    { path: 'publicClient', words: 'a viem client: createPublicClient' },
  ],
  [
    'a URL as public client',
    () => checkExecutability(signed, { ...parameters(), publicClient: wrong(node.url) }),
    { path: 'publicClient', words: 'a viem client: createPublicClient' },
  ],
  [
    'a public client of another chain',
    () => takeBest([], { ...take(), publicClient: createPublicClient({ chain: mainnet, transport: http(node.url) }) }),
    { path: 'publicClient', words: 'reads chain 1, but the quotes are for chain 8453' },
  ],
  ['five takes', () => takeBest([], { ...take(), maxTakes: 5 }), { path: 'maxTakes', words: 'from 0 to 4' }],
  [
    'an account as borrower',
    () => takeBest([], { ...take(), borrower: wrong({ address: maker }) }),
    { path: 'borrower', words: 'must be an address' },
  ],
  [
    'a URL as wallet client',
    () => oneTransaction({ borrower: maker, publicClient: reading(node), walletClient: wrong(node.url) }),
    { path: 'walletClient', words: 'a viem client' },
  ],
  [
    'checking a collected quote',
    () => checkExecutability(wrong(collected), parameters()),
    { path: 'quote', words: 'Pass its property quote' },
  ],
  [
    'checking the best of no quotes',
    () => checkExecutability(wrong(undefined), parameters()),
    { path: 'quote', words: 'such as result.quotes[0].quote' },
  ],
  [
    'taking a collected quote',
    () => takeQuoteParameters(wrong(collected)),
    { path: 'signed', words: 'Pass its property quote' },
  ],
  [
    'a symbol instead of a token',
    () => approveParameters({ loanToken: wrong('USDC'), amount: 1n }),
    { path: 'loanToken', words: 'must be an address' },
  ],
]

const ownWallet = () => createWalletClient({ account: maker, chain: base, transport: http(node.url) })

const settling: Row[] = [
  [
    'a number as position',
    () => settleParameters({ positionId: wrong(7) }),
    { path: 'positionId', words: 'must be a bigint: 7n' },
  ],
  [
    'one position for settleMany',
    () => settleManyParameters(wrong({ positionId: 7n })),
    { path: 'positionId', words: 'Use positionIds' },
  ],
  [
    'withdrawing to',
    () => withdrawParameters(wrong({ token: other, to: maker })),
    { path: 'to', words: 'Use account' },
  ],
  [
    'one position for readSettlement',
    () => readSettlement(reading(node), { account: maker, positionIds: wrong(7n) }),
    { path: 'positionIds', words: 'an array of bigints' },
  ],
  [
    'one position for settle',
    () => settle(wrong(7n), { walletClient: ownWallet() }),
    { path: 'positionIds', words: 'an array of bigints' },
  ],
  [
    'settling without an account',
    () => settle([7n], { walletClient: reading(node) }),
    { path: 'walletClient', words: 'must have an account: pass it to createWalletClient' },
  ],
  [
    'settling as an account',
    () => settle([7n], wrong({ account: maker })),
    { path: 'account', words: 'Use walletClient' },
  ],
  [
    'settling on another chain',
    () => settle([7n], { walletClient: ownWallet(), chainId: 1 }),
    { path: 'publicClient', words: 'reads chain 8453, but the positions are on chain 1' },
  ],
  [
    'arguments in the wrong order',
    () => readSettlement(wrong({ account: maker, positionIds: [] }), wrong(reading(node))),
    { path: 'client', words: 'a viem client: createPublicClient' },
  ],
]

const market = 'Check the URL. Take addresses only from a source that you trust'
const notService = 'Check that orderbookUrl is a Firmquote service, not an RPC node.'
const taking = { code: 'CHAIN_UNAVAILABLE' }

/** Mistakes that only a response reveals. */
const answered: Row[] = [
  [
    'another chain',
    () => create({ chainId: 1 }).getMarkets(),
    { path: 'chainId', words: 'is 1, but the service uses 8453', requests: 1 },
  ],
  [
    'another quote market',
    () => create({ quoteMarketAddress: other }).requestQuotes(request),
    { path: 'quoteMarketAddress', words: `is ${other}, but the service uses ${QUOTE_MARKET_ADDRESS}`, requests: 1 },
  ],
  [
    'another pool contract',
    () => create({ interestRatePoolAddress: other }).streamQuotes(request).next(),
    {
      path: 'interestRatePoolAddress',
      words: `is ${other}, but the service uses ${INTEREST_RATE_POOL_ADDRESS}`,
      requests: 1,
    },
  ],
  [
    "another service's market: the remedy",
    () => create({ quoteMarketAddress: other }).getPoolRates(),
    { path: 'quoteMarketAddress', words: market, requests: 1 },
  ],
  [
    'the URL of an RPC node, read',
    () => create({ orderbookUrl: node.url }).getMarkets(),
    { code: 'INVALID_RESPONSE', words: notService, requests: 2 },
  ],
  [
    'the URL of an RPC node, written',
    () => create({ orderbookUrl: node.url }).requestQuotes(request),
    { code: 'INVALID_RESPONSE', words: notService, requests: 2 },
  ],
  [
    'the URL of an RPC node, with its key',
    () => create({ orderbookUrl: `${node.url}/v2/${nodeKey}` }).getPoolRates(),
    { code: 'INVALID_RESPONSE', words: '/v2/…/api/v1/pools/rates (status 405) is not JSON', requests: 2 },
  ],
  [
    'a path that does not exist',
    () => create({ orderbookUrl: `${service.url}/base` }).getRfq(rfqId),
    { code: 'INVALID_RESPONSE', words: '/base/api/v1/rfq/{rfqId} (status 404) is not JSON', requests: 2 },
  ],
  [
    'a proxy without its service',
    () => create({ orderbookUrl: proxy.url }).getMarkets(),
    { code: 'INVALID_RESPONSE', words: '/api/v1/rates/current (status 502) is not JSON', requests: 4 },
  ],
  [
    'a port on which nothing listens',
    () => create({ orderbookUrl: dead.url }).submitQuoteMarketQuote(wireQuote),
    { code: 'CONNECTION_FAILED', words: 'ECONNREFUSED' },
  ],
  [
    'contracts that are not on the chain',
    () => planTakes([collected], take()),
    { ...taking, words: `no contract at ${QUOTE_MARKET_ADDRESS} on chain 8453`, requests: 4 },
  ],
  [
    'a check of such contracts',
    () => checkExecutability(signed, { ...parameters(), quoteMarketAddress: other }),
    { ...taking, words: `no contract at ${other} on chain 8453`, requests: 3 },
  ],
  [
    'a settlement of such contracts',
    () => readSettlement(reading(node), { account: maker, positionIds: [7n] }),
    { ...taking, words: `no contract at ${INTEREST_RATE_POOL_ADDRESS} on chain 8453`, requests: 4 },
  ],
  [
    'a node without its key',
    () => planTakes([], { ...take(), publicClient: reading(lockedNode, `/v2/${nodeKey}`) }),
    { ...taking, words: 'HTTP 401', requests: 1 },
  ],
  [
    'a node that does not run',
    () => checkExecutability(signed, { ...parameters(), publicClient: reading(dead, `/?key=${nodeKey}`) }),
    { ...taking, words: 'ECONNREFUSED' },
  ],
]

const groups = { configs, deployed, requests, reads, makers, takes, settling, answered }

test('behavior: there are at least 60 rows, and most mistakes are found before any request', () => {
  const rows = Object.values(groups).flat()
  expect(rows.length).toBeGreaterThanOrEqual(60)
  expect(rows.filter(([, , { requests = 0 }]) => requests === 0).length).toBeGreaterThanOrEqual(60)
})

describe.each(Object.entries(groups))('%s', (_group, rows) => {
  test.each(rows)('error: %s', async (_mistake, call, { code = 'INVALID_INPUT', path, words, requests = 0 }) => {
    const count = () => servers.reduce((sum, { seen }) => sum + seen.length, 0)
    const before = count()
    const error: unknown = await Promise.resolve()
      .then(call)
      .catch((thrown: unknown) => thrown)
    if (!(error instanceof BaseError)) throw new TypeError('There was no BaseError.', { cause: error })
    expect(error).toMatchObject({ code, ...(path !== undefined && { path }) })
    expect(`${error.shortMessage} ${error.details}`).toContain(words)
    expect(error.message).toMatch(/\nDocs: https:\/\/\S+\/ERRORS\.md#\w+\n/)
    expect(error.message).toMatch(/\nVersion: @firmquote\/(sdk|core)@\S+$/)
    for (const secret of [nodeKey, 'hunter2', key.slice(2), rfqId]) expect(error.message).not.toContain(secret)
    expect(count() - before).toBe(requests)
  })
})
