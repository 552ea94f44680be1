import { backers, borrowers, deployer, devnetAddresses, interestRatePoolAbi } from '@firmquote/devnet'
import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { waitUntil } from '../../../../apps/server/test/waitUntil.ts'
import { listTerms, openPosition, requestOffer } from './demoMarket.ts'
import { describeInDemo } from './describeInBrowser.ts'
import { expectAccessible } from './expectAccessible.ts'
import { connectWallet, settled } from './pageActions.ts'

const [maker] = backers

describeInDemo(
  'markets, contracts, status, makers and unknown pages',
  { AUCTION_DURATION_MS: '1500' },
  ({ open, demo }) => {
    test('default: a heading sorts the terms by mouse and keyboard, and a row leads to the home card', async () => {
      const page = await open('/#/markets')
      await settled(page)
      const table = page.getByRole('table').first()
      const costs = async () =>
        (await table.locator('tbody tr td:nth-child(3)').allTextContents())
          .filter((text) => text !== '')
          .map((text) => Number(text.replace(/[^\d.]/g, '')))
      const heading = table.getByRole('columnheader', { name: 'Cost' })
      expect(await table.getByRole('columnheader', { name: 'Fixed until' }).getAttribute('aria-sort')).toBe('ascending')
      expect(await heading.getAttribute('aria-sort')).toBeNull()
      await heading.getByRole('button').click()
      expect(await heading.getAttribute('aria-sort')).toBe('ascending')
      expect(await costs()).toEqual((await costs()).toSorted((a, b) => a - b))
      await page.keyboard.press('Enter')
      expect(await heading.getAttribute('aria-sort')).toBe('descending')
      const descending = await costs()
      expect(descending.length).toBeGreaterThan(1)
      expect(descending).toEqual(descending.toSorted((a, b) => b - a))
      // The focus stays, so that the next press sorts again.
      expect(await heading.getByRole('button').evaluate((one) => one === document.activeElement)).toBe(true)

      // A size without a quote is an estimate, which the page marks.
      await page.getByRole('textbox', { name: 'Size, tUSD' }).fill('123,456')
      await table
        .getByText(/^about/)
        .first()
        .waitFor()
      await table
        .getByRole('link', { name: /^Get quotes until / })
        .first()
        .click()
      await page.waitForURL(/#\/\?pool=0x\w+&series=0x\w+&notional=123456000000$/)
      expect(await page.getByRole('textbox', { name: /^Amount to fix/ }).inputValue()).toBe('123,456')
    })

    test("default: the contracts page shows each contract's address, owner and audits", async () => {
      const page = await open('/')
      await page.getByRole('contentinfo').getByRole('link', { name: 'Contracts' }).click()
      await page.getByRole('heading', { level: 1, name: 'Contracts' }).waitFor()
      const pool = page.getByRole('region', { name: 'InterestRatePool' })
      await pool.getByText('Connect a wallet to read').waitFor()
      await connectWallet(page, 'Demo account')
      await pool.getByText(deployer.address).waitFor()
      await pool.getByText(devnetAddresses.interestRatePool).waitFor()
      const market = page.getByRole('region', { name: 'QuoteMarket' })
      expect(await market.textContent()).toMatch(/No owner: nobody can change it\..*None yet\./)
      expect(await market.textContent()).toContain(devnetAddresses.quoteMarket)
    })

    test("default: a maker's page shows the money locked on-chain for its open positions", async () => {
      const [term] = await listTerms(demo())
      const page = await open(`/#/maker/${maker.address.toLowerCase()}`)
      await settled(page)
      expect(await figureOf(page, 'Locked now')).toBe('0')
      const notional = 12_345_000_000n
      const id = await openPosition(demo(), borrowers[0], term, notional)
      const positions = {
        address: devnetAddresses.interestRatePool,
        abi: interestRatePoolAbi,
        functionName: 'positions',
      } as const
      const locked = await demo().chain.readContract({ ...positions, args: [id] })
      expect(JSON.stringify(locked, (_, value) => (typeof value === 'bigint' ? value.toString() : value))).toContain(
        '"12345000000"',
      )
      await waitUntil(async () => (await demo().client.getPositions(maker.address)).positions.length > 0)
      await page.reload()
      await settled(page)
      expect(await figureOf(page, 'Locked now')).toBe('12,345 tUSD')
      expect(await figureOf(page, 'Fills')).toBe('1')
      const { quotes } = await demo().client.getQuoteMarketQuotes({ maker: maker.address, limit: 100 })
      expect(await figureOf(page, 'Published quotes')).toBe(quotes.length.toString())
      await page.getByRole('table').locator('[data-standing=firm]').first().waitFor()
    })

    test('default: the history has one row for an auction, which expands to its quotes and their makers', async () => {
      const { quotes } = await requestOffer(demo(), borrowers[0].address)
      const page = await open('/#/history')
      await settled(page)
      const expand = page.getByRole('button', { name: new RegExp(`^${quotes.length} quotes?$`) })
      expect(await expand.count()).toBe(1)
      await expand.focus()
      await page.keyboard.press('Enter')
      expect(await expand.getAttribute('aria-expanded')).toBe('true')
      const makers = page.getByRole('table').getByRole('link', { name: /^0x/ })
      expect(await makers.evaluateAll((links) => links.map((one) => one.getAttribute('href')).sort())).toEqual(
        quotes.map(({ quote }) => `#/maker/${quote.maker}`).sort(),
      )
      await expectAccessible(page)
    })

    test('default: the status page shows what is down, and that it is up again', async () => {
      const page = await open('/', {
        noise: /ERR_CONNECTION_REFUSED|ERR_FAILED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|50[0-9]/,
      })
      await page.getByRole('contentinfo').getByRole('link', { name: 'Operational' }).click()
      await page.getByRole('heading', { level: 1, name: 'Status' }).waitFor()
      const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) })
      await row('Service').getByText(/^OK/).waitFor()
      await row('Market makers').getByText(`${backers.length} connected`).waitFor()
      await row('Chain node')
        .getByText(/^Block \d/)
        .waitFor()
      await demo().stopServer()
      await row('Service').getByText('Down').waitFor()
      await row('Service')
        .getByText(/^since \d\d:\d\d:\d\d UTC$/)
        .waitFor()
      await row('Database').getByText('Unknown').waitFor()
      await demo().startServer()
      await row('Service').getByText(/^OK/).waitFor()
      await row('Service')
        .getByText(/^since \d\d:\d\d:\d\d UTC$/)
        .waitFor()
    })

    test.each([
      [`/0x${'12'.repeat(32)}`, 'Review the quote', `#/quote/0x${'12'.repeat(32)}`],
      [`/${'ab'.repeat(16)}`, 'Open the auction', `#/auction/${'ab'.repeat(16)}`],
      ['/7', 'Open the position', '#/position/7'],
      [`/${maker.address}`, 'Open the maker page', `#/maker/${maker.address}`],
      ['/market', 'Markets', '#/markets'],
    ])('behavior: an unknown page at %s offers what was meant', async (path, name, href) => {
      const page = await open(`/#${path}`)
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
      const link = page.getByRole('main').getByRole('link', { name, exact: true }).first()
      expect(await link.getAttribute('href')).toBe(href)
      const ways = page.getByRole('navigation', { name: 'Go to:' }).getByRole('link')
      expect(await ways.evaluateAll((links) => links.map((one) => one.getAttribute('href')))).toEqual([
        '#/',
        '#/positions',
        '#/markets',
      ])
    })
  },
)

/** The first figure below a label on a maker's page. */
async function figureOf(page: Page, label: string): Promise<string> {
  const term = page.locator('dt', { hasText: new RegExp(`^${label}$`) })
  return (await term.locator('xpath=following-sibling::dd[1]').textContent()) ?? ''
}
