import { hashTakerAuth, recoverSigner, type ServiceConfig } from '@firmquote/core'
import { createFakeClock } from '@firmquote/testing/fakeClock'
import { afterEach, expect, test } from '@jest/globals'
import { BackerSigner } from '../backer/backerSigner.ts'
import { ServiceClient } from '../serviceClient.ts'
import { sendJson, startHttpServer } from '../testing/httpServer.ts'
import { key, maker, quoteMarket, signerConfig } from '../testing/samples.ts'
import { signTakerProof, type TakerProofRules } from './proveTaker.ts'

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

function rules(changes: Partial<TakerProofRules> = {}): TakerProofRules {
  const signer = new BackerSigner(signerConfig, { clock })
  signer.setPrivateKey(key)
  return {
    orderbookUrl: 'https://rfq.example.com/base',
    chainId: 8453,
    quoteMarketAddress: quoteMarket,
    signer,
    audience,
    now,
    ...changes,
  }
}

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

test("default: the signer's account, by the digest of the protocol's vector", async () => {
  const { taker, takerProof } = await signTakerProof(config, rules())
  expect(taker).toBe(maker)
  expect(takerProof.timestamp).toBe(now)
  const digest = hashTakerAuth({ taker, audience, chainId: 8453, quoteMarket, timestamp: now })
  expect(digest).toBe('0x446b484644dc31f7e44287816379e1462d3941e28a5d3e99a3a96c29f70fabf6')
  expect(await recoverSigner(digest, takerProof.signature)).toEqual({ signer: maker })
})

test.each<[string, Partial<ServiceConfig>, Partial<TakerProofRules>]>([
  ['another audience', { takerAudience: 'https://rfq.example.org' }, {}],
  ['another audience than the caller gives', {}, { audience: 'https://rfq.example.org' }],
  ['another chain', { chainId: 1 }, {}],
  ['another quote market', { contracts: { ...config.contracts, quoteMarket: maker } }, {}],
  [
    'a connection that anyone can read',
    { takerAudience: 'http://rfq.example.com' },
    {
      orderbookUrl: 'http://rfq.example.com',
      audience: 'http://rfq.example.com',
    },
  ],
])('error: %s: nothing is signed', async (_what, changes, given) => {
  const failure = signTakerProof({ ...config, ...changes }, rules(given))
  await expect(failure).rejects.toMatchObject({ name: 'SignerError', code: 'AUDIENCE_MISMATCH' })
})

test('error: a service that knows no proofs, and a client without a signer', async () => {
  const { takerAudience: _, ...earlier } = config
  await expect(signTakerProof(earlier, rules())).rejects.toMatchObject({ code: 'AUDIENCE_MISMATCH' })
  const signer = new BackerSigner(signerConfig)
  await expect(signTakerProof(config, rules({ signer }))).rejects.toMatchObject({ code: 'SIGNER_MISSING' })
})

test.each([-301, 301, 0.5, Number.NaN])('error: a proof of %p seconds from now is not signed', async (off) => {
  const { signer } = rules()
  await expect(signer.signTakerAuth(audience, now + off)).rejects.toMatchObject({ code: 'TIMESTAMP_OUT_OF_WINDOW' })
})

test('behavior: a client asks the service whom it talks to, and proves it to this origin', async () => {
  let takerAudience = ''
  const server = await startHttpServer((_request, response) => sendJson(response, 200, { ...config, takerAudience }))
  closers.push(server.close)
  const client = new ServiceClient({ orderbookUrl: server.url, quoteMarketAddress: quoteMarket }, { clock })
  client.setPrivateKey(key)
  takerAudience = new URL(server.url).origin
  const { taker, takerProof } = await client.proveTaker()
  const digest = hashTakerAuth({ taker, audience: takerAudience, chainId: 8453, quoteMarket, timestamp: now })
  expect(await recoverSigner(digest, takerProof.signature)).toEqual({ signer: maker })
  takerAudience = audience
  await expect(client.proveTaker()).rejects.toMatchObject({ code: 'AUDIENCE_MISMATCH' })
  expect((await client.proveTaker({ audience })).taker).toBe(maker)
})
