import { borrowers } from '@firmquote/devnet'
import { rounds } from '@firmquote/test-support/trial'
import { expect, test } from '@jest/globals'
import type { Response } from 'playwright-core'
import { describeInDemo } from './describeInBrowser.ts'
import { heapBytes } from './measurePage.ts'
import { connectWallet, settled } from './pageActions.ts'
import { views } from './views.ts'

// Leaves tabs open. A round lasts one minute, twice the slowest polling interval. `npm run trials -- --rounds 30
// pageIdle` leaves every view open for 30 minutes in parallel. Checks that each tab sends at most 20 requests per
// minute, that all large responses are compressed, and that memory grows by at most a tenth.

const lastsMs = rounds * 60_000
const warmUpMs = 40_000

describeInDemo('a page that is left open', {}, ({ open, demo, createWallet }) => {
  test(
    'default: sends few requests and does not leak memory',
    async () => {
      const opened = await Promise.all(
        views.map(async ({ name, path, wallet: connected }) => {
          const wallet = createWallet(borrowers[0].address)
          const page = await open('/', { wallet })
          if (connected) await connectWallet(page, 'Test Wallet')
          await page.goto(demo().url + path)
          await settled(page)
          await page.waitForTimeout(warmUpMs)
          const before = await heapBytes(page)
          const answers: Response[] = []
          page.on('response', (answer) => {
            // In production, the wallet, not the page, sends requests to the node.
            if (!new URL(answer.url()).pathname.startsWith('/devnet/')) answers.push(answer)
          })
          return { name, page, before, since: performance.now(), answers }
        }),
      )
      await opened[0]?.page.waitForTimeout(lastsMs)
      const tooMany: string[] = []
      for (const { name, page, before, since, answers } of opened) {
        const aMinute = (answers.length * 60_000) / (performance.now() - since)
        const after = await heapBytes(page)
        const growth = after / before - 1
        process.stdout.write(
          `${name}: ${aMinute.toFixed(1)} requests a minute, objects ${before} -> ${after} bytes (${(growth * 100).toFixed(1)} %)\n`,
        )
        expect(answers.length).toBeGreaterThan(0)
        if (aMinute > 20) tooMany.push(`${name}: ${aMinute.toFixed(1)} requests a minute`)
        if (growth > 0.1) tooMany.push(`${name}: ${(growth * 100).toFixed(1)} % more memory`)
        for (const answer of answers.filter((one) => one.ok() && one.headers()['content-encoding'] === undefined)) {
          const { responseBodySize } = await answer.request().sizes()
          if (responseBodySize >= 1_400) tooMany.push(`${name}: ${answer.url()} not compressed`)
        }
      }
      expect(tooMany).toEqual([])
    },
    lastsMs + warmUpMs + 120_000,
  )
})
