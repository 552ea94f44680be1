import { ServiceClient } from '@firmquote/sdk'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { stopAfter } from '../stopAfter.ts'
import { startWalkthroughs, type Walkthroughs } from './walkthroughs.ts'

let walkthroughs: Walkthroughs
const started = stopAfter(afterAll)
beforeAll(async () => {
  walkthroughs = started(await startWalkthroughs())
}, 120_000)

/** Fills in the reader's values: the address printed by `init`, and the expiry date of a series. */
async function fillIn(text: string, shown: string): Promise<string> {
  const [, maker = 'MAKER'] = /The maker is (0x\w{40})/.exec(shown) ?? []
  if (!text.includes('EXPIRY')) return text.replace('MAKER', maker)
  const [pool] = await new ServiceClient({ orderbookUrl: walkthroughs.url }).getPoolRates()
  const expiry = pool?.series[2]?.expiry ?? 0
  return text.replace('EXPIRY', new Date(expiry * 1_000).toISOString().slice(0, 10))
}

test('default: following start/maker.md word for word results in two makers with accepted quotes', async () => {
  // The page's two auctions finish within a minute.
  const { shown } = await walkthroughs.follow('start/maker.md', {
    fillIn,
    environment: { AUCTION_DURATION_MS: '5000' },
  })
  const quoted = /^\{.*"msg":"quoted".*$/m.exec(shown())?.[0] ?? '{}'
  expect(JSON.parse(quoted)).toMatchObject({ level: 'info', notional: '100000000000' })

  const client = new ServiceClient({ orderbookUrl: walkthroughs.url })
  const [maker = ''] = /(?<=The maker is )0x\w{40}/.exec(shown()) ?? []
  const makers = (await client.getRecentQuotes()).map(({ maker }) => maker)
  expect(makers).toEqual(expect.arrayContaining([maker, '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955']))
}, 180_000)
