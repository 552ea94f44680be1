import type { ServiceConfig } from '@firmquote/core'
import { hashTakerAuth, recoverSigner, type TakerAuth } from '@firmquote/core/protocol'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { sendJson, startHttpServer } from '@firmquote/test-support/httpServer'
import { afterEach, expect, test } from '@jest/globals'
import { createWalletClient, custom } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { key, maker, quoteMarket } from '../../test/samples.ts'
import { ServiceClient } from '../serviceClient.ts'
import { type ProveTakerOptions, proveTaker } from './proveTaker.ts'

const now = 1_767_225_600
const clock = createFakeClock(now * 1_000)
const audience = 'https://rfq.example.com'
const config: ServiceConfig = {
  apiVersion: 'v1',
  chainId: 8453,
  contracts: { quoteMarket, interestRatePool: quoteMarket, bundler3: quoteMarket, keeperBundler: quoteMarket },
  deployBlock: 1,
  eip712Domain: { name: 'QuoteMarket', version: '1', chainId: 8453, verifyingContract: quoteMarket },
  takerAudience: audience,
  auction: { durationMs: 15_000, quotesPerBacker: 1 },
  limits: {
    bodyBytes: 16_384,
    rfqsPerMinute: 12,
    openRfqs: 4,
    storedQuotesPerMaker: 100,
    socketsPerBacker: 3,
    minQuoteLifetimeSeconds: 20,
    maxQuoteLifetimeSeconds: 86_400,
  },
}

const account = privateKeyToAccount(key)

/** Requests a proof from a service with this configuration. */
function prove(
  changes: Partial<ServiceConfig> = {},
  {
    orderbookUrl = 'https://rfq.example.com/base',
    ...given
  }: Partial<ProveTakerOptions> & { orderbookUrl?: string } = {},
) {
  const client = new ServiceClient({ orderbookUrl, quoteMarketAddress: quoteMarket })
  const service = { getConfig: () => client.getConfig(), getServiceConfig: async () => ({ ...config, ...changes }) }
  return proveTaker(service, { account, clock, ...given })
}

const digest = hashTakerAuth({ taker: maker, audience, chainId: 8453, quoteMarket, timestamp: now })

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

test("default: an account that signs by itself, by the digest of the protocol's vector", async () => {
  const { taker, takerProof } = await prove()
  expect(taker).toBe(maker)
  expect(takerProof.timestamp).toBe(now)
  expect(digest).toBe('0x446b484644dc31f7e44287816379e1462d3941e28a5d3e99a3a96c29f70fabf6')
  expect(await recoverSigner(digest, takerProof.signature)).toEqual({ signer: maker })
})

test('behavior: the taker signs that its record is shared, and the result asks for it', async () => {
  const shared = hashTakerAuth({
    taker: maker,
    audience,
    chainId: 8453,
    quoteMarket,
    timestamp: now,
    shareRecord: true,
  })
  const { takerProof, shareRecord } = await prove({}, { shareRecord: true })
  expect(await recoverSigner(shared, takerProof.signature)).toEqual({ signer: maker })
  expect(shareRecord).toBe(true)
  expect(await prove({}, { shareRecord: false })).not.toHaveProperty('shareRecord')
})

test.each(['1b', '00'])('behavior: a wallet signs for its account, also with v as %s', async (v) => {
  const signature = await account.sign({ hash: digest })
  expect(signature).toMatch(/1[bc]$/)
  const written = v === '1b' ? signature : `${signature.slice(0, -2)}${signature.endsWith('1b') ? '00' : '01'}`
  const request = async ({ method }: { method: string }) => (method === 'eth_signTypedData_v4' ? written : null)
  const walletClient = createWalletClient({ transport: custom({ request }) })
  const { takerProof } = await prove({}, { account: maker, walletClient })
  expect(takerProof.signature).toBe(signature)
})

test.each<[string, Partial<ServiceConfig>, Parameters<typeof prove>[1]]>([
  ['another audience', { takerAudience: 'https://rfq.example.org' }, {}],
  ['another audience than the caller gives', {}, { audience: 'https://rfq.example.org' }],
  ['another chain', { chainId: 1 }, {}],
  ['another quote market', { contracts: { ...config.contracts, quoteMarket: maker } }, {}],
  [
    'a connection that anyone can read',
    { takerAudience: 'http://rfq.example.com' },
    { orderbookUrl: 'http://rfq.example.com' },
  ],
])('error: %s: nothing is signed', async (_what, changes, given) => {
  await expect(prove(changes, given)).rejects.toMatchObject({ name: 'SignerError', code: 'AUDIENCE_MISMATCH' })
})

test('error: a service without proofs, and no signer', async () => {
  const { takerAudience: _, ...earlier } = config
  const client = new ServiceClient({ orderbookUrl: audience, quoteMarketAddress: quoteMarket })
  const service = { getConfig: () => client.getConfig(), getServiceConfig: async () => earlier }
  await expect(proveTaker(service, { account })).rejects.toMatchObject({ code: 'AUDIENCE_MISMATCH' })
  await expect(prove({}, { account: maker })).rejects.toMatchObject({ code: 'SIGNER_MISSING' })
  await expect(prove({}, { account: '0x12' })).rejects.toMatchObject({ name: 'InvalidInputError', path: 'account' })
})

test('error: the user rejects in the wallet', async () => {
  const request = () => Promise.reject(new TypeError('User rejected the request.'))
  const walletClient = createWalletClient({ transport: custom({ request }, { retryCount: 0 }) })
  await expect(prove({}, { account: maker, walletClient })).rejects.toMatchObject({ code: 'SIGNING_FAILED' })
})

test('behavior: asks the service that the client connects to, and signs for its origin', async () => {
  let takerAudience = ''
  const server = await startHttpServer((_request, response) => sendJson(response, 200, { ...config, takerAudience }), {
    servesConfig: true,
  })
  closers.push(server.close)
  const client = new ServiceClient({ orderbookUrl: server.url, quoteMarketAddress: quoteMarket })
  takerAudience = new URL(server.url).origin
  const { taker, takerProof } = await proveTaker(client, { account })
  const auth: TakerAuth = {
    taker,
    audience: takerAudience,
    chainId: 8453,
    quoteMarket,
    timestamp: takerProof.timestamp,
  }
  expect(await recoverSigner(hashTakerAuth(auth), takerProof.signature)).toEqual({ signer: maker })
  takerAudience = audience
  await expect(proveTaker(client, { account })).rejects.toMatchObject({ code: 'AUDIENCE_MISMATCH' })
  expect((await proveTaker(client, { account, audience })).taker).toBe(maker)
})
