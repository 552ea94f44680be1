import { deserializeSignedQuote } from '@firmquote/core'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { ServiceClient } from '@firmquote/sdk'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Hex, zeroAddress, zeroHash } from 'viem'
import { checkQuote } from './checkQuote.ts'
import { connectChain } from './connect.ts'
import { plainStyle } from './format/style.ts'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet?.stop())

test('behavior: a node that is behind is asked again until it has the block that counts', async () => {
  const [{ poolId, series }] = devnet.pools
  const [maker] = devnet.backers
  const [borrower] = devnet.borrowers
  const client = new ServiceClient()
  client.setPrivateKey(maker.privateKey)
  const seriesKey = series[2]?.seriesKey as Hex
  const expiry = series[2]?.expiry ?? 0
  const now = Math.floor(Date.now() / 1000)
  const request = { poolId, seriesKey, notional: 1_000_000n }
  const terms = { maker: maker.address, taker: zeroAddress, ...request, vrtAmount: 10_000n, nonce: 0n }
  const signed = await client.signQuoteMarketQuote({
    ...terms,
    deadline: BigInt(now + 600),
    salt: `0x${'3'.repeat(64)}`,
  })
  const written: string[] = []
  const since = (await devnet.publicClient.getBlockNumber({ cacheTime: 0 })) + 1n

  let isChecked = false
  const checking = checkQuote({ write: (text: string) => void written.push(text), style: plainStyle }, client, {
    chain: await connectChain(devnet.rpcUrl, devnet.chainId),
    best: { quote: deserializeSignedQuote(signed), hash: zeroHash },
    request,
    rfq: { expiry },
    taker: borrower.address,
    json: false,
    since,
  }).finally(() => {
    isChecked = true
  })
  // Long enough for a first answer, of the block before.
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(isChecked).toBe(false)
  await devnet.testClient.mine({ blocks: 1 })
  expect(await checking).toMatchObject({ executable: true, block: { number: since } })
  expect(written).toEqual([expect.stringMatching(new RegExp(`^Checked at block ${since}:\n(?:ok .*\n){6}$`))])
})
