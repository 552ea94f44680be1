import { borrowers } from '@firmquote/devnet'
import { rounds } from '@firmquote/test-support/trial'
import { expect, test } from '@jest/globals'
import { describeInDemo } from './describeInBrowser.ts'
import { heapBytes } from './measurePage.ts'
import { connectWallet, settled } from './pageActions.ts'
import { views } from './views.ts'
import { watchRequests } from './watchRequests.ts'

// Tabs that are left open. A round is a minute, two turns of the slowest question that is asked again and again:
// `npm run trials -- --rounds 30 pageIdle` leaves every view open for 30 minutes, side by side. Proven: at most 20 requests a minute
// each, all large answers compressed, and at the end at most a tenth more memory.

const lastsMs = rounds * 60_000
const warmUpMs = 40_000

describeInDemo('a page that is left open', {}, ({ open, demo, createWallet }) => {
  test(
    'default: it asks for little and keeps nothing',
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
          return { name, page, before, since: performance.now(), requests: watchRequests(page) }
        }),
      )
      await opened[0]?.page.waitForTimeout(lastsMs)
      const tooMany: string[] = []
      const ended = []
      for (const { page, since, requests, ...view } of opened) {
        const aMinute = (requests.asked.length * 60_000) / (performance.now() - since)
        ended.push({ ...view, aMinute, requests, after: await heapBytes(page) })
      }
      for (const { name, aMinute, before, after, requests } of ended) {
        const uncompressed = await requests.uncompressed()
        const growth = after / before - 1
        process.stdout.write(
          `${name}: ${aMinute.toFixed(1)} requests a minute, objects ${before} -> ${after} bytes (${(growth * 100).toFixed(1)} %)\n`,
        )
        expect(requests.asked.length).toBeGreaterThan(0)
        if (aMinute > 20) tooMany.push(`${name}: ${aMinute.toFixed(1)} requests a minute`)
        if (growth > 0.1) tooMany.push(`${name}: ${(growth * 100).toFixed(1)} % more memory`)
        tooMany.push(...uncompressed.map((answer) => `${name}: ${answer} not compressed`))
      }
      expect(tooMany).toEqual([])
    },
    lastsMs + warmUpMs + 120_000,
  )
})
