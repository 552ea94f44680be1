// A borrower's view of how many makers have answered, over real sockets.

import { toPublicRfqId } from '@firmquote/core'
import { type Devnet, type DevnetAccount, startDevnet, testTokenAbi } from '@firmquote/devnet'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Abi, maxUint256, parseEther, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createChainDriver } from '../../test/chainDriver.ts'
import { readStream } from '../../test/readStream.ts'
import { type RealServer, startRealServer } from '../../test/realServer.ts'
import { createQuote, domainOf, signQuote } from '../../test/signedQuotes.ts'
import { connectBacker } from '../../test/socketClient.ts'

let devnet: Devnet
let server: RealServer
type Backer = Awaited<ReturnType<typeof connectBacker>>
let makers: Backer[]
const silent: Backer[] = []

beforeAll(async () => {
  devnet = await startDevnet()
  server = await startRealServer(devnet, { durationMs: 15_000 })
  makers = await Promise.all(devnet.backers.map(connect))
  // Until a maker has answered once, it is not expected to.
  const { rfqId } = await streamOf()
  await answer(rfqId, 'ddd')
})
afterAll(async () => {
  await Promise.all([...makers, ...silent].map((maker) => maker.end()))
  await server?.close()
  await devnet?.stop()
})

const connect = ({ privateKey }: Pick<DevnetAccount, 'privateKey'>) =>
  connectBacker(server.wsUrl, privateKeyToAccount(privateKey))

/** Opens an auction and returns its public ID and its stream. */
async function streamOf() {
  const { poolId, series } = devnet.pools[0]
  const response = await fetch(`${server.api}/rfq/quote/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ poolId, seriesKey: series[1]?.seriesKey, notional: '1000000000' }),
  })
  expect(response.status).toBe(200)
  const { rfqId } = await (makers[0] as Backer).next('rfq')
  return { rfqId: toPublicRfqId(rfqId), response }
}

/** Each maker answers in turn: `q` sends a quote, `d` declines. */
async function answer(rfqId: string, answers: string) {
  for (const [index, kind] of [...answers].entries()) {
    const [maker, account] = [makers[index], devnet.backers[index]]
    if (!maker || !account) throw new TypeError('There are too few makers.')
    if (kind === 'd') maker.send({ type: 'decline', rfqId })
    else {
      maker.send({
        type: 'quote',
        rfqId,
        quote: await signQuote(account, domainOf(devnet), createQuote(devnet, account)),
      })
      expect(await maker.next('quote_ack')).toMatchObject({ status: 'accepted' })
    }
  }
}

/** Creates a key with loan tokens and an allowance. */
async function fundedKey(index: number): Promise<DevnetAccount> {
  const { loanToken, quoteMarket } = devnet.contracts
  const { rpc, call } = createChainDriver(devnet)
  const privateKey = toHex(0x5117_0000 + index, { size: 32 })
  const key = { address: privateKeyToAccount(privateKey).address, privateKey }
  await rpc('anvil_setBalance', [key.address, toHex(parseEther('1'))])
  await rpc('anvil_impersonateAccount', [key.address])
  for (const [from, name, ...args] of [
    [devnet.deployer, 'mint', key.address, 10n ** 12n],
    [key, 'approve', quoteMarket, maxUint256],
  ] as const) {
    expect(await call(from, loanToken, testTokenAbi as Abi, name, args)).toMatchObject({ status: '0x1' })
  }
  return key
}

test.each([
  ['three quotes', 0, 'qqq'],
  ['three quotes beside 50 silent funded keys', 50, 'qqq'],
  ['two quotes, then a decline, beside the silent keys', 50, 'qqd'],
  ['the answers to the next RFQ', 50, 'dqd'],
])('behavior: the stream says once that all have answered: %s', async (_what, keys, answers) => {
  while (silent.length < keys) silent.push(await connect(await fundedKey(silent.length)))
  const { rfqId, response } = await streamOf()
  const reading = readStream(response, ({ event, data }) => event === 'done' || data['answered'] === 3)
  await answer(rfqId, answers)
  const events = await reading
  const last = events.at(-1)
  // A count is never ahead of the quotes that it includes.
  expect(events.filter(({ event }) => event === 'quote')).toHaveLength(
    [...answers].filter((kind) => kind === 'q').length,
  )
  expect(last).toMatchObject({ event: 'progress', data: { answered: 3, expected: 3, backers: 3 + silent.length } })
  expect(last).not.toHaveProperty('id')
})
