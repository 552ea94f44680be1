import type { ClientRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  deserializeQuote,
  type QuoteMarketQuote,
  quoteMarketAbi,
  type RFQBroadcast,
  type SerializedQuote,
  type SignedQuote,
  serializeQuote,
} from '@firmquote/core'
import { createQuoteSigner, type QuoteSigner } from '@firmquote/core/verifier'
import type { DevnetAccount } from '@firmquote/devnet'
import { proveTaker, ServiceClient, takeQuoteParameters } from '@firmquote/sdk'
import { type Address, type Hex, maxUint256, numberToHex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Attack, type AttackKind, attackers } from '../../../simulator/src/attacks.ts'
import { quoteOf } from '../quoteOf.ts'
import { refusalOf, sendRaw, startedRfqId } from '../rawRequests.ts'
import { type AdversarialFixture, networkAddress } from './adversarialFixture.ts'
import { openFrom } from './openFrom.ts'
import { createAccount, owe } from './owe.ts'
import { socketUrlOf } from './rawBacker.ts'

const usd = 1_000_000n
/** Each funded maker's balance, in raw units. The usual request is for a tenth of it. */
const balance = 100_000n * usd
const sizes = { least: 100n * usd, usual: 10_000n * usd, whale: 5_000_000n * usd }
/** Milliseconds after which a maker that moved its funds holds them again. */
const refundMs = 6_000

type RFQResultJson = { quotes: { quote: SerializedQuote & { signature: Hex } }[] }
type Proof = Awaited<ReturnType<typeof proveTaker>>
type Maker = DevnetAccount & {
  signer: QuoteSigner
  client: ServiceClient
  socket: Awaited<ReturnType<ServiceClient['connectWebSocket']>>
  /** The newest RFQs received, oldest first. */
  heard: RFQBroadcast[]
}

/** Connects the attackers to a fixture's servers. `honest` is the taker whose name and proof the attackers abuse. */
export async function connectAttackers(fixture: AdversarialFixture, honest: Address) {
  const { devnet, urlOf, series } = fixture
  const { contracts, testClient, chainId } = devnet
  const request = (method: string, params: readonly unknown[]) => testClient.request({ method, params } as never)
  const fund = (address: Address, amount: bigint) =>
    request('anvil_dealERC20', [address, contracts.loanToken, numberToHex(amount)])

  const prover = new ServiceClient({ orderbookUrl: fixture.url })
  /** Creates an account that has just borrowed, and returns its proof. */
  const createTaker = async (debt: bigint): Promise<Proof> => {
    const account = await createAccount(testClient)
    await owe(devnet, account, debt)
    return proveTaker(prover, { account: privateKeyToAccount(account.privateKey) })
  }
  const takers: Proof[] = []
  for (let count = 0; count < attackers.takers; count += 1) {
    // The debt covers one request of the usual size.
    takers.push(await createTaker(sizes.usual + sizes.least))
  }
  const makers: Maker[] = []
  for (let index = 0; index < attackers.makers; index += 1) {
    const account = await createAccount(testClient)
    const allowance = [account.address, contracts.quoteMarket, contracts.loanToken, numberToHex(maxUint256)]
    await request('anvil_setERC20Allowance', allowance)
    if (index < attackers.fundedMakers) await fund(account.address, balance)
    const client = new ServiceClient({ orderbookUrl: urlOf(index) })
    client.setPrivateKey(account.privateKey)
    const heard: RFQBroadcast[] = []
    const onRFQ = (rfq: RFQBroadcast) => {
      heard.push(rfq)
      if (heard.length > 8) heard.shift()
    }
    const socket = await client.connectWebSocket({ onRFQ }, { retry: true, audience: socketUrlOf(fixture.url) })
    const signer = await createQuoteSigner(account.privateKey, { chainId, quoteMarket: contracts.quoteMarket })
    makers.push({ ...account, signer, client, socket, heard })
  }

  const open = new Set<ClientRequest>()
  /** Accepted quotes, by hash, with the close of their auctions in Unix milliseconds. */
  const quoted = new Map<Hex, number>()
  let nonces = 0

  /** Opens an auction and reads its first event. `rfqId` is null if it was refused. */
  const start = async (attack: Attack, terms: object, headers: Record<string, string> = {}) => {
    const body = { ...series, notional: String(sizes[attack.size]), ...terms }
    // Proofs from the honest users' network would use up its proof checks, which is a documented limit.
    const network = 'takerProof' in body ? attack.network || 1 : attack.network
    const from = { localAddress: networkOf(network), headers }
    const sent = await sendRaw(`${urlOf(attack.choice)}/api/v1/rfq/quote/stream`, { body, ...from })
    const rfqId = startedRfqId(sent)
    if (rfqId === null || sent.status === null) {
      return { answer: refusalOf(sent) ?? 'lost', rfqId: null }
    }
    return { answer: sent.text.includes('"takerVerified":true') ? 'verified' : 'opened', rfqId }
  }
  const ask = async (...given: Parameters<typeof start>) => (await start(...given)).answer
  const read = (attack: Attack, path: string) =>
    sendRaw(`${urlOf(attack.choice)}/api/v1/${path}`, { localAddress: networkOf(attack.network) })

  /** Sends a transaction after the previous one, so that no two get the same nonce. */
  const mined = async (send: () => Promise<Hex>): Promise<string> => {
    const sent = sending.then(send)
    sending = sent.catch(() => {})
    return (await devnet.publicClient.waitForTransactionReceipt({ hash: await sent })).status
  }
  let sending: Promise<unknown> = Promise.resolve()
  let creating: Promise<unknown> = Promise.resolve()
  const take = async (signed: SignedQuote) => {
    const call = { ...takeQuoteParameters(signed), gas: 1_000_000n }
    const status = await mined(() => devnet.walletClient(devnet.borrowers[1]).writeContract(call))
    return status === 'success' ? 'taken' : 'reverted'
  }
  const openWith = (attack: Attack, holds: boolean, size = attack.size) => {
    const body = JSON.stringify({ ...series, notional: String(sizes[size]) })
    return openFrom(urlOf(attack.choice), networkOf(attack.network), body, open, holds)
  }

  /** Submits a quote for one of the RFQs that the maker received. Resolves to null if it received none. */
  const quote = async (attack: Attack, changes: Partial<QuoteMarketQuote> = {}, rfqId?: string, by?: QuoteSigner) => {
    const maker = makerOf(attack)
    const rfq = maker.heard[attack.choice % Math.max(1, maker.heard.length)]
    if (!rfq) return null
    const { poolId, seriesKey, notional } = rfq
    const vrtAmount = (notional * BigInt(attack.percent)) / 10_000n
    const terms = quoteOf(maker.address, { poolId, seriesKey, notional, vrtAmount, ...changes })
    const signed = { ...serializeQuote(terms), signature: (by ?? maker.signer).signQuote(terms) }
    const submit = async () => {
      const verdict = await maker.socket.submitSerializedQuote((rfqId ?? rfq.rfqId) as typeof rfq.rfqId, signed)
      if (verdict.status !== 'accepted') return verdict.code
      quoted.set(verdict.hash, rfq.closesAt)
      return 'accepted'
    }
    return { maker, terms, rfq, submit, answer: await submit() }
  }
  const makerOf = ({ maker }: Pick<Attack, 'maker'>): Maker => {
    const found = makers[maker % makers.length]
    if (!found) throw new RangeError('There is no maker.')
    return found
  }
  const proofOf = ({ taker }: Attack): Proof => {
    const found = takers[taker % takers.length]
    if (!found) throw new RangeError('There is no taker.')
    return found
  }
  const answered = async (sent: ReturnType<typeof quote>) => [(await sent)?.answer ?? null]

  const publish = async (attack: Attack) => {
    const { address, signer } = makerOf(attack)
    const terms = quoteOf(address, { ...series, notional: sizes.usual, vrtAmount: 0n })
    const body = { ...serializeQuote(terms), signature: signer.signQuote(terms) }
    const from = { localAddress: networkOf(attack.network) }
    return refusalOf(await sendRaw(`${urlOf(attack.choice)}/api/v1/quotes`, { body, ...from })) ?? 'stored'
  }

  /** Carries out an attack. Returns its answers, with null for a quote that found no RFQ. */
  const acts: Record<AttackKind, (attack: Attack) => Promise<(string | null)[]>> = {
    'open and drop': async (attack) => [await openWith(attack, false)],
    'open and hold': async (attack) => [await openWith(attack, true)],
    'unverified whale': async (attack) => [await openWith(attack, attack.choice % 2 === 0, 'whale')],
    'dust request': async (attack) => [await ask(attack, { notional: '1' })],
    async 'same key'(attack) {
      nonces += 1
      const headers = { 'idempotency-key': `attack-${nonces}-${toHex(attack.choice, { size: 16 })}` }
      const [first, again] = await Promise.all([ask(attack, {}, headers), ask(attack, {}, headers)])
      return [first, again, await ask(attack, { notional: String(sizes[attack.size] + 1n) }, headers)]
    },
    async 'proof of another taker'(attack) {
      const { takerProof } = proofOf(attack)
      return Promise.all(Array.from({ length: 5 }, () => ask(attack, { taker: honest, takerProof })))
    },
    'name of another taker': async (attack) => [await ask(attack, { taker: honest })],
    'rented debt': (attack) =>
      Promise.all(Array.from({ length: 5 }, () => ask({ ...attack, size: 'least' }, proofOf(attack)))),
    async 'moved debt'(attack) {
      // One at a time, because the deployer sends a transaction for each.
      const created = creating.then(() => createTaker(sizes.least))
      creating = created.catch(() => {})
      const proof = await created
      await sleep(attack.after)
      return [await ask({ ...attack, size: 'least' }, proof)]
    },
    'debt used twice': (attack) => Promise.all([1, 2].map(() => ask({ ...attack, size: 'usual' }, proofOf(attack)))),
    async 'take early'(attack) {
      const { answer, rfqId } = await start({ ...attack, size: 'least' }, {})
      if (rfqId === null) return [answer]
      await sleep(attack.after % 2_000)
      const found = await read(attack, `rfq/${rfqId}`)
      const { quotes } = found.status === 200 ? (JSON.parse(found.text) as RFQResultJson) : { quotes: [] }
      const [first] = quotes
      if (!first) return [answer]
      const { signature } = first.quote
      return [answer, await take({ ...deserializeQuote(first.quote), signature })]
    },
    async 'private quote'(attack) {
      const [hash, closesAt = 0] = [...quoted].findLast(([, closesAt]) => closesAt > Date.now() + 500) ?? []
      if (hash === undefined) return [null]
      const { status } = await read(attack, `quotes/${hash}`)
      // The auction may have closed before the service answered.
      const isLate = Date.now() >= closesAt
      return [status === 404 ? 'hidden' : isLate ? null : 'shown']
    },
    async reads(attack) {
      const size = sizes.least + BigInt(attack.choice)
      const paths = [
        `pools/rates?notional=${size}`,
        `quotes?sort=rate&limit=100&minNotional=${size}`,
        `rfq/quotes/recent?limit=100`,
        `positions/all?address=${honest}`,
      ]
      const answer = await read(attack, paths[attack.choice % paths.length] ?? '')
      return [refusalOf(answer) ?? 'read']
    },
    'quote without funds': (attack) => answered(quote(attack)),
    'quote of another maker': (attack) => {
      const victim = makerOf({ maker: attack.maker + 1 })
      return answered(quote(attack, { maker: victim.address }))
    },
    'forged signature': (attack) => answered(quote(attack, {}, undefined, makerOf({ maker: attack.maker + 1 }).signer)),
    'dust quote': (attack) => answered(quote(attack, { notional: 1n, vrtAmount: 0n })),
    'guessed auction': (attack) => answered(quote(attack, {}, toHex(attack.choice, { size: 16 }).slice(2))),
    async 'the same again'(attack) {
      const sent = await quote(attack)
      return sent ? [sent.answer, await sent.submit(), await sent.submit()] : [null]
    },
    async 'another quote'(attack) {
      const sent = await quote(attack)
      return sent ? [sent.answer, ...(await answered(quote(attack)))] : [null]
    },
    async 'quote and cancel'(attack) {
      const sent = await quote(attack)
      if (sent?.answer === 'accepted') {
        await sleep(attack.after)
        const { maker, terms } = sent
        const call = { abi: quoteMarketAbi, address: contracts.quoteMarket, functionName: 'cancelQuote' } as const
        // Another attacker may have taken the quote.
        await mined(() => devnet.walletClient(maker).writeContract({ ...call, args: [terms] })).catch(() => {})
      }
      return [sent?.answer ?? null]
    },
    async 'quote and move funds'(attack) {
      const sent = await quote(attack)
      if (sent?.answer === 'accepted') {
        await sleep(attack.after)
        await fund(sent.maker.address, 0n)
        await sleep(refundMs)
        await fund(sent.maker.address, balance)
      }
      return [sent?.answer ?? null]
    },
    publish: (attack) => Promise.all(Array.from({ length: 3 }, () => publish(attack))),
  }

  return {
    act: (attack: Attack) => acts[attack.kind](attack),
    stop() {
      for (const sent of open) sent.destroy()
      for (const { client } of makers) client.disconnectWebSocket()
    },
  }
}

/** A network's address. Network 0 is the honest users' address. */
function networkOf(network: number): string {
  return network === 0 ? '127.0.0.1' : networkAddress(network)
}
