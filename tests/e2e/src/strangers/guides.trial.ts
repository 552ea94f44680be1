import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { borrowers } from '@firmquote/devnet'
import { ServiceClient, takeQuoteParameters } from '@firmquote/sdk'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createPublicClient, createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { type Demo, startDemo } from '../browser/startDemo.ts'
import { openTerminal } from '../terminal.ts'
import { prepareStrangers, type Strangers } from './strangers.ts'

let strangers: Strangers
let demo: Demo
let modules: string
beforeAll(async () => {
  strangers = await prepareStrangers()
  const { port, rpcPort } = strangers
  ;[demo, modules] = await Promise.all([
    startDemo({ PORT: String(port), RPC_PORT: String(rpcPort), AUCTION_DURATION_MS: '3000' }),
    strangers.install('@firmquote/sdk', '@firmquote/core', '@firmquote/daemon', '@firmquote/devnet', 'viem'),
  ])
}, 120_000)
afterAll(async () => {
  await strangers?.stop()
  await demo?.stop()
}, 60_000)

test.each([
  'guides/pricing.md',
  'guides/clusters.md',
  'guides/security.md',
  'guides/finality.md',
  'guides/settlement.md',
])(
  'default: %s does what it says',
  async (page) => {
    await strangers.follow(page, { modules })
  },
  60_000,
)

test('default: guides/hedging.md hedges a real fill of its daemon once', async () => {
  const { folder } = await strangers.follow('guides/hedging.md', {
    modules,
    // The maker of the quick start.
    prepare: ['npx firmquote-daemon init --dir maker'],
  })
  const inFolder = (command: string) => openTerminal(command, folder, strangers.environment)
  const config = '--config maker/firmquote-daemon.yaml'
  const { address } = JSON.parse(readFileSync(join(folder, 'maker/keystore.json'), 'utf8'))
  const fund = inFolder(`npx firmquote-devnet fund 0x${address} --port ${strangers.rpcPort}`)
  expect([await fund.ends(), fund.output()]).toEqual([0, expect.any(String)])
  const approve = inFolder(`npx firmquote-daemon approve 500000 ${config}`)
  expect([await approve.ends(), approve.output()]).toEqual([0, expect.any(String)])
  const daemon = inFolder(`npx firmquote-daemon ${config}`)
  try {
    await daemon.shows(/^ready 0x/m)
    const hash = await takeQuoteOf(`0x${address}`)
    const hedge = join(folder, `hedges/${hash}.json`)
    for (const end = Date.now() + 20_000; !existsSync(hedge); await sleep(50)) {
      if (Date.now() > end) throw new TypeError(`No hedge:\n${daemon.output()}`)
    }
    expect(JSON.parse(readFileSync(hedge, 'utf8'))).toMatchObject({ notional: '50000000000' })
  } finally {
    await daemon.interrupt()
  }
}, 60_000)

/** A borrower's auction, of which the quote of one maker is taken; gives its hash. */
async function takeQuoteOf(maker: string): Promise<string> {
  const [{ address, privateKey }] = borrowers
  const transport = http(strangers.rpcUrl)
  const publicClient = createPublicClient({ chain: base, transport })
  const walletClient = createWalletClient({ account: privateKeyToAccount(privateKey), chain: base, transport })
  const client = new ServiceClient({ orderbookUrl: strangers.url })
  const [pool] = await client.getPoolRates()
  const [, , { seriesKey } = { seriesKey: undefined }] = pool?.series ?? []
  if (!pool || !seriesKey) throw new TypeError('The demo has no such series.')
  const request = { poolId: pool.poolId, seriesKey, notional: 50_000_000_000n, taker: address }
  const { quotes } = await client.requestQuotes(request)
  const own = quotes.find(({ quote }) => quote.maker.toLowerCase() === maker)
  if (own === undefined) throw new TypeError(`No quote of ${maker} among ${quotes.length}.`)
  const transaction = await walletClient.writeContract(takeQuoteParameters(own.quote))
  await publicClient.waitForTransactionReceipt({ hash: transaction })
  return own.hash
}
