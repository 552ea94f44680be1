// One attacker uses three servers simultaneously, with RFQs and proofs from one network, one maker's published quotes,
// and one backer's sockets. Quotas are stored in the database, so three servers together must not allow more than a
// single server does. The attacker sends 300 of each kind simultaneously, a hundred to each server, and sends RFQs in
// several waves.

import { setTimeout as sleep } from 'node:timers/promises'
import { findNats, findPostgres } from '@firmquote/cluster/findPrograms'
import { serializeQuote } from '@firmquote/core'
import { createQuoteSigner } from '@firmquote/core/verifier'
import { afterEach, expect, test } from '@jest/globals'
import { quoteOf } from '../quoteOf.ts'
import { refusalOf, sendRaw } from '../rawRequests.ts'
import { stopAfter } from '../stopAfter.ts'
import { networkAddress, startAdversarialFixture } from './adversarialFixture.ts'
import { connectRawBacker, socketUrlOf } from './rawBacker.ts'

const triesEach = 100
/** The server's default limits. */
const limits = { openRfqs: 4, rfqsPerMinute: 12, proofsPerMinute: 60, quotesOfMaker: 100, socketsOfBacker: 3 }
const auctionMs = 2_000

const started = stopAfter(afterEach)

const given = findPostgres() && findNats() ? test : test.skip
given(
  'behavior: a client of three servers gets no more than a client of one server',
  async () => {
    const settings = { AUCTION_DURATION_MS: String(auctionMs), LOG_LEVEL: 'warn' }
    const fixture = started(await startAdversarialFixture(settings, { by: 'three' }))
    const { devnet, servers, series } = fixture
    const [borrower] = devnet.borrowers
    const [maker, backer] = devnet.backers
    const auction = { ...series, notional: '10000000000' }

    /** Runs an action concurrently, equally often on each server. */
    const everywhere = <T>(act: (url: string, index: number) => Promise<T>): Promise<T[]> =>
      Promise.all(
        Array.from({ length: triesEach * servers.urls.length }, (_, index) => act(fixture.urlOf(index), index)),
      )

    const askFor = (network: number, terms: object) => {
      const post = createPost(networkAddress(network))
      return () => everywhere((url) => post(`${url}/api/v1/rfq/quote`, terms))
    }
    const askRfqs = askFor(1, auction)
    // An invalid signature that only a full verification can detect.
    const takerProof = { timestamp: Math.floor(Date.now() / 1_000), signature: `0x${'11'.repeat(65)}` }
    const askProofs = askFor(2, { ...auction, taker: borrower.address, takerProof })

    const signer = await createQuoteSigner(maker.privateKey, {
      chainId: devnet.chainId,
      quoteMarket: devnet.contracts.quoteMarket,
    })
    const postQuote = createPost(networkAddress(3))
    const publish = () =>
      everywhere(async (url) => {
        const quote = quoteOf(maker.address, { ...series, notional: 1_000_000_000n, vrtAmount: 10_000_000n })
        return postQuote(`${url}/api/v1/quotes`, { ...serializeQuote(quote), signature: signer.signQuote(quote) })
      })

    const connect = async () => {
      const sockets = await everywhere(async (url, index) => {
        // Each connection comes from its own network, so that no network exceeds its limit on unauthenticated
        // connections.
        const options = { localAddress: networkAddress(10 + index), privateKey: backer.privateKey }
        const socket = connectRawBacker(socketUrlOf(url), options)
        return { socket, isIn: (await socket.authenticated) !== null }
      })
      return sockets.flatMap(({ socket, isIn }) => (isIn ? [socket] : []))
    }

    const [first, proofs, quotes, seated] = await Promise.all([askRfqs(), askProofs(), publish(), connect()])
    const open = seated.filter((socket) => socket.isOpen()).length
    for (const socket of seated) socket.end()
    const waves = [count(first)]
    const opened = () => waves.reduce((sum, wave) => sum + (wave['opened'] ?? 0), 0)
    // Sends waves of RFQs until this minute's quota is used up, then one more wave.
    for (let isUsedUp = false; !isUsedUp && waves.length < 20; await sleep(300)) {
      isUsedUp = opened() >= limits.rfqsPerMinute
      waves.push(count(await askRfqs()))
    }

    const counted = { waves, proofs: count(proofs), quotes: count(quotes), sockets: { seated: seated.length, open } }
    process.stdout.write(`quotas, ${triesEach} of each at each of three servers at once: ${JSON.stringify(counted)}\n`)
    // A busy server refuses some of the RFQs that hold a slot, so only the sum over all waves has a lower bound.
    expect(count(first)['opened']).toBeLessThanOrEqual(limits.openRfqs)
    expectGiven(opened(), limits.rfqsPerMinute)
    expectGiven(count(proofs)['TAKER_PROOF_INVALID'], limits.proofsPerMinute)
    expectGiven(count(quotes)['opened'], limits.quotesOfMaker)
    expectGiven(seated.length, limits.socketsOfBacker)
    expect(open).toBe(limits.socketsOfBacker)
  },
  120_000,
)

/**
 * Creates a function that posts JSON from a loopback address. The function returns `opened` or the rejection's code.
 */
function createPost(localAddress: string) {
  return async (url: string, body: object) => refusalOf(await sendRaw(url, { body, localAddress })) ?? 'opened'
}

function count(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

/** Checks that the full quota was granted, and exceeded by at most a tenth. */
function expectGiven(got: number | undefined, limit: number): void {
  expect(got).toBeGreaterThanOrEqual(limit)
  expect(got).toBeLessThanOrEqual(limit * 1.1)
}
