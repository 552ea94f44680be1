// The effects of a contract maker on its own and other makers' quotes, on a real chain.

import type { SignedQuote } from '@firmquote/core'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { devnet, useTestDevnet } from '../../../../../packages/devnet/test/testDevnet.ts'
import { createChainDriver } from '../../../test/chainDriver.ts'
import { type ContractMaker, deployContractMaker } from '../../../test/contractMakers.ts'
import { type RealService, signedQuote, startRealService } from '../../../test/realService.ts'
import type { RpcCall } from '../../../test/rpcProxy.ts'

let service: RealService
let maker: ContractMaker
let honest: SignedQuote

useTestDevnet()
beforeEach(async () => {
  service = await startRealService(devnet)
  maker = await deployContractMaker(devnet, devnet.backers[2])
  honest = await signedQuote(devnet, devnet.backers[0])
})
afterEach(() => service.close())

async function publish(quote: SignedQuote, network?: string): Promise<unknown> {
  const outcome = await service.book.submit(quote, network)
  return outcome.ok ? (outcome.value.record.unproven ?? false) : outcome.rejection
}

/** A quote's entry in the listing. */
async function listed({ salt }: SignedQuote) {
  const { quotes } = await service.book.list({})
  const found = quotes.find(({ quote }) => quote.salt === salt)
  return found && { executable: found.executable, reason: found.reason, unproven: found.unproven }
}

async function depth() {
  service.clock.advance(1_000)
  const pools = await service.markets.pools({ notional: honest.notional })
  const series = pools.flatMap((pool) => pool.series).find(({ seriesKey }) => seriesKey === honest.seriesKey)
  return series?.depth.quotes
}

const executable = { executable: true, reason: undefined, unproven: undefined }

describe('unproven makers', () => {
  test('default: labelled and not counted until one of their quotes has been filled', async () => {
    const [first, second] = [await maker.quote(), await maker.quote()]
    expect(await publish(first)).toBe(true)
    expect(await publish(second)).toBe(true)
    expect(await publish(honest)).toBe(false)
    expect(await listed(first)).toEqual({ ...executable, unproven: true })
    expect(await listed(honest)).toEqual(executable)
    expect(await depth()).toEqual(1)
    await createChainDriver(devnet).take(devnet.borrowers[0], first)
    await service.sync.cycle()
    expect(await listed(second)).toEqual(executable)
    expect(await publish(await maker.quote())).toBe(false)
    expect(await depth()).toEqual(3)
  })

  test('behavior: a fill proves the maker for quotes of at most ten times its size', async () => {
    const { notional, vrtAmount } = await maker.quote()
    const tenth = await maker.quote({ notional: notional / 10n, vrtAmount: vrtAmount / 10n })
    expect(await publish(tenth)).toBe(true)
    await createChainDriver(devnet).take(devnet.borrowers[0], tenth)
    await service.sync.cycle()
    expect(await publish(await maker.quote({ notional: (notional / 10n) * 10n + 1n }))).toBe(true)
    expect(await publish(await maker.quote({ notional: (notional / 10n) * 10n }))).toBe(false)
  })

  test('behavior: proven by the list that the operator configured', async () => {
    await service.close()
    service = await startRealService(devnet, { provenMakers: new Set([maker.address.toLowerCase()]) })
    const quote = await maker.quote()
    expect(await publish(quote)).toBe(false)
    expect(await listed(quote)).toEqual(executable)
    expect(await depth()).toEqual(1)
  })

  test('error: a contract that consents to readings only', async () => {
    const quote = await maker.quote()
    await publish(quote)
    await maker.behave('consents to readings only')
    expect(await publish(await maker.quote())).toMatchObject({ code: 'BAD_SIGNATURE' })
    expect(await listed(quote)).toEqual({ executable: false, reason: 'BAD_SIGNATURE', unproven: true })
  })
})

describe('makers that are put aside', () => {
  test('default: a contract that burns gas costs others nothing and is called less and less often', async () => {
    const quotes = await Promise.all(Array.from({ length: 5 }, () => maker.quote()))
    for (const quote of [...quotes, honest]) await publish(quote)
    const [quote] = quotes as [SignedQuote]
    await maker.behave('burns gas')
    expect(await listed(honest)).toEqual(executable)
    service.node.calls.length = 0
    expect(await listed(quote)).toEqual({ executable: false, reason: 'MAKER_SUSPENDED', unproven: true })
    expect(JSON.stringify(service.node.calls)).not.toContain('"gas"')
    const refused = { code: 'MAKER_SUSPENDED', maker: maker.address, retryAfterSeconds: 5 }
    expect(await publish(await maker.quote())).toEqual(refused)

    service.clock.advance(5_000)
    await devnet.testClient.mine({ blocks: 1 })
    expect(await listed(quote)).toMatchObject({ reason: 'SIGNATURE_CHECK_FAILED' })
    expect(await publish(await maker.quote())).toEqual({ ...refused, retryAfterSeconds: 10 })

    await maker.behave('honest')
    service.clock.advance(9_999)
    expect(await publish(await maker.quote())).toEqual({ ...refused, retryAfterSeconds: 1 })
    service.clock.advance(1)
    expect(await listed(quote)).toMatchObject({ executable: true })
    expect(await publish(await maker.quote())).toBe(true)
    await maker.behave('burns gas')
    expect(await listed(quote)).toMatchObject({ reason: 'SIGNATURE_CHECK_FAILED' })
    expect(await publish(await maker.quote())).toEqual(refused)
  })

  test('behavior: a contract that withdraws its approval is not suspended', async () => {
    const quote = await maker.quote()
    await publish(quote)
    await maker.behave('consents to readings only')
    expect(await listed(quote)).toMatchObject({ reason: 'BAD_SIGNATURE' })
    await maker.behave('honest')
    expect(await publish(await maker.quote())).toBe(true)
  })

  test('behavior: garbage that names a contract stops its sender, and never the contract', async () => {
    await maker.behave('burns gas')
    const garbage = async () => ({ ...(await maker.quote()), signature: `0x${'ab'.repeat(65)}` as const })
    const verdicts = []
    for (let count = 0; count < 21; count += 1) verdicts.push(await publish(await garbage(), 'attacker'))
    const failed = { code: 'NOT_EXECUTABLE', reason: 'SIGNATURE_CHECK_FAILED' }
    expect(verdicts.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => failed))
    expect(verdicts[20]).toEqual({ code: 'RATE_LIMITED', retryAfterSeconds: 3 })
    await maker.behave('honest')
    expect(await publish(await maker.quote(), 'victim')).toBe(true)
    // A quote signed with a key involves no contract.
    expect(await publish(honest, 'attacker')).toBe(false)
    service.clock.advance(3_000)
    expect(await publish(await maker.quote(), 'attacker')).toBe(true)
  })

  test('error: an outage of the node counts against nobody', async () => {
    const isCheck = ({ params: [call] }: RpcCall) => (call as { gas?: string } | undefined)?.gas !== undefined
    // The node does not answer the contract calls.
    let checks = 0
    service.node.interfere = (call) => {
      if (!isCheck(call)) return undefined
      checks += 1
      return { status: 503 }
    }
    const quotes = await Promise.all(Array.from({ length: 16 }, () => maker.quote()))
    const verdicts = await Promise.all(quotes.map((quote) => publish(quote, 'maker')))
    expect(verdicts).toEqual(quotes.map(() => ({ code: 'CHAIN_UNAVAILABLE' })))
    // The node stops responding to the reads that call the contract.
    let secondReadings = 0
    for (let round = 0; round < 6; round += 1) {
      let blocks = 0
      service.node.interfere = ({ method }) => {
        if (method === 'eth_getBlockByNumber') blocks += 1
        if (blocks < 2) return undefined
        secondReadings += 1
        return { status: 503 }
      }
      expect(await publish(await maker.quote(), 'maker')).toEqual({ code: 'CHAIN_UNAVAILABLE' })
    }
    expect(checks).toBeGreaterThan(0)
    expect(secondReadings).toBeGreaterThanOrEqual(6)
    service.node.interfere = () => undefined
    expect(await publish(await maker.quote(), 'maker')).toBe(true)
  })
})

describe('a contract whose check does not come back', () => {
  test('behavior: a listing waits at most half a second for a contract, and then reports CHAIN_UNAVAILABLE', async () => {
    const quote = await maker.quote()
    await publish(quote)
    await publish(honest)
    await devnet.testClient.mine({ blocks: 1 })
    const { promise: held, resolve: release } = createDeferred<undefined>()
    service.node.interfere = ({ params }) => (JSON.stringify(params).includes('"gas"') ? held : undefined)
    const startedAt = performance.now()
    expect(await listed(quote)).toEqual({ executable: false, reason: 'CHAIN_UNAVAILABLE', unproven: true })
    expect(performance.now() - startedAt).toBeLessThan(1_000)
    expect(await listed(honest)).toEqual(executable)
    release(undefined)
    service.node.interfere = () => undefined
    expect(await listed(quote)).toMatchObject({ executable: true })
  })
})
