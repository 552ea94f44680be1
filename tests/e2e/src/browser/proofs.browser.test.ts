import { readFileSync } from 'node:fs'
import { newcomers } from '@firmquote/devnet'
import { beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { waitUntil } from '../../../../apps/server/test/waitUntil.ts'
import { formatProof, parseProof } from '../../../../packages/verify/src/index.ts'
import { createLog, runAuction } from '../../../../packages/verify/test/proofFixture.ts'
import { requestOffer } from './demoMarket.ts'
import { describeInDemo } from './describeInBrowser.ts'
import { expectAccessibleInBoth, expectFits } from './expectAccessible.ts'
import { paintsOf } from './measurePage.ts'
import { settled } from './pageActions.ts'

/** Shown, and repeated under the closed "Details". */
const noWitness = /^No independent witness: the service could show others a different history\.$/
const worker = /\/assets\/proofWorker-.*\.js$/

const proofPath = /\/api\/v1\/rfq\/\w+\/proof$/

describeInDemo('proofs in the web app', { AUCTION_DURATION_MS: '1500' }, ({ open, demo }) => {
  let proof: string
  let keys: readonly string[]
  beforeAll(async () => {
    const log = createLog()
    const auction = await runAuction(log, [400n, 390n, 410n])
    proof = formatProof(auction.auctionProof(auction.close()))
    keys = log.keys
  })

  /** Waits until the log has an auction's close. Returns the auction's proof. */
  const awaitProof = async (rfqId: string): Promise<string> => {
    let text = ''
    await waitUntil(async () => {
      const response = await fetch(`${demo().url}/api/v1/rfq/${rfqId}/proof`)
      text = await response.text()
      return response.ok
    })
    return text
  }

  const openProofs = async (options = {}) => {
    const page = await open('/#/proofs', options)
    await settled(page)
    return page
  }

  test('default: a chosen file is checked in the page, and sent nowhere', async () => {
    const page = await openProofs({ viewport: { width: 320, height: 900 } })
    const requests: string[] = []
    page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await choose(page, proof)
    const result = page.getByRole('region', { name: 'Result for proof.json' })
    await result.getByText('The proof is valid').waitFor()
    await result.getByText('The auction had exactly 3 quotes, signed for this market').waitFor()
    const open = result.getByRole('heading', { name: 'Not proved' }).locator('..')
    await open.locator('span', { hasText: noWitness }).waitFor()
    await open.getByText("The key of the log rfq.example.com/log/1 is the file's own.").waitFor()
    await expectInView(page, 'The proof is valid')
    await page.getByText('The proof is valid. 3 proved, 4 not proved.').waitFor({ state: 'attached' })
    expect(
      requests.filter((request) => !/^GET \/(?:api\/v1\/health|assets\/proofWorker-.*\.js)$/.test(request)),
    ).toEqual([])
    expect((await paintsOf(page)).layoutShift).toBeLessThanOrEqual(0.02)
    await result.getByText('Details').click()
    await result.getByText(/^The auction (?:ab){16} was opened with these terms/).waitFor()
    await expectFits(page, [320, 900], () => expectAccessibleInBoth(page))
  })

  test('behavior: with the keyboard alone, a pasted proof is checked with keys that the visitor trusts', async () => {
    const page = await openProofs()
    // Copying lost the end of the line.
    await paste(page, 'Or paste the proof', proof.trimEnd())
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const result = page.getByRole('region', { name: 'Result' })
    await result.locator('span', { hasText: noWitness }).waitFor()
    await page.locator('summary', { hasText: 'Keys you trust (optional)' }).focus()
    await page.keyboard.press('Enter')
    await paste(page, 'Public keys, one per line', keys.join('\n'))
    await result.getByText(/^witness\.example\.com\/w1, a witness that you trust, saw this history at /).waitFor()
    expect(await result.locator('span', { hasText: noWitness }).count()).toBe(0)
    expect(await result.getByText("is the file's own").count()).toBe(0)

    await page.getByRole('spinbutton', { name: /^How many of these witnesses/ }).fill('2')
    await result.getByText("It wasn't signed by the keys that you trust.").waitFor()
    await paste(page, 'Public keys, one per line', `${keys[0]}\nwitness`)
    await result.getByText("Line 2 isn't a key of the form name+id+base64.").waitFor()
    await expectAccessibleInBoth(page)
  })

  test('error: a changed file is refused, and so is a file that is no proof', async () => {
    const page = await openProofs()
    const at = proof.indexOf('"vrtAmount":"390"')
    await choose(page, `${proof.slice(0, at)}"vrtAmount":"391"${proof.slice(at + 17)}`)
    await page.getByText('The proof was refused', { exact: true }).waitFor()
    await page.getByText("It was changed, or it doesn't show what it claims. It proves nothing.").first().waitFor()
    await page.getByText('Quote 2 is not the one that the service accepted.').waitFor()
    await expectAccessibleInBoth(page)
    await drop(page, 'PK\u0003\u0004')
    await page.getByText('The file is not JSON.').waitFor()
    await drop(page, proof)
    await page.getByText('The proof is valid', { exact: true }).waitFor()
  })

  test('error: a file that is too large is not read', async () => {
    const page = await openProofs()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await drop(page, ' ', 16 * 1024 * 1024 + 1)
    await page.getByText('This file is too large for a proof. A proof has at most 16 MB.').waitFor()
    expect(asked.filter((url) => worker.test(url))).toEqual([])
  })

  test('error: a browser without Ed25519 is no verdict, nor is a verifier that does not load', async () => {
    const page = await openProofs({ noise: /ERR_FAILED/ })
    await page.route(worker, async (route) => {
      const response = await route.fetch()
      const without = 'SubtleCrypto.prototype.importKey = () => Promise.reject(new Error("Unrecognized name."));'
      await route.fulfill({ response, body: without + (await response.text()) })
    })
    await choose(page, proof)
    await page.getByText("This browser can't check proofs", { exact: true }).waitFor()
    await page.unroute(worker)
    await page.route(worker, (route) => route.abort())
    await choose(page, proof)
    await page.getByText("A file of this page couldn't be loaded. There may be a newer version.").waitFor()
  })

  test('default: the proof of an auction, once the log has its close', async () => {
    const { rfqId, quotes } = await requestOffer(demo(), newcomers[0].address)
    const page = await open(`/#/auction/${rfqId}`, { noise: /425/, acceptDownloads: true })
    const own = page.getByRole('region', { name: 'Proof of this auction' })
    await page.route(proofPath, (route) =>
      route.fulfill({
        status: 425,
        headers: { 'content-type': 'application/problem+json', 'retry-after': '3' },
        body: JSON.stringify({
          code: 'PROOF_NOT_READY',
          detail: 'No checkpoint has the close yet.',
          requestId: 'f3b1',
        }),
      }),
    )
    await own.getByRole('button', { name: 'Check the proof' }).click()
    await own.getByText("The service hasn't recorded the auction's close yet. Try again in 3 seconds.").waitFor()
    await page.unroute(proofPath)
    await awaitProof(rfqId)
    await own.getByRole('button', { name: 'Check again' }).click()
    await own.getByText('The proof is valid', { exact: true }).waitFor()
    await own.getByText('It is the auction on this page, with the same terms and quotes.').waitFor()
    const exactly = `The auction had exactly ${quotes.length} quotes, signed for this market and ranked by price and arrival.`
    await own.getByText(exactly).waitFor()
    await own.locator('span', { hasText: noWitness }).waitFor()
    expect(await own.getByText("is the file's own").count()).toBe(0)
    await expectFits(page, [320, 900], () => expectAccessibleInBoth(page))

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      own.getByRole('button', { name: 'Save the proof' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`firmquote-proof-${rfqId.slice(0, 8)}.json`)
    const saved = readFileSync(await download.path(), 'utf8')
    expect(parseProof(saved)).toMatchObject({ type: 'auction', quotes: { length: quotes.length } })
    await own.getByRole('link', { name: 'Check a proof file' }).click()
    await settled(page)
    await choose(page, saved)
    await page.getByText('The proof is valid', { exact: true }).waitFor()
  })

  test('error: a service that proves another auction, or none', async () => {
    const { rfqId } = await requestOffer(demo(), newcomers[0].address)
    const other = await requestOffer(demo(), newcomers[0].address)
    const text = await awaitProof(other.rfqId)
    const page = await open(`/#/auction/${rfqId}`, { noise: /404/ })
    await page.route(proofPath, (route) => route.fulfill({ contentType: 'application/json', body: text }))
    await page.getByRole('button', { name: 'Check the proof' }).click()
    await page.getByRole('alert').getByText('The proof is of another auction').waitFor()
    await expectAccessibleInBoth(page)

    await page.route(proofPath, async (route) => {
      const url = route.request().url().replace(rfqId, 'ab'.repeat(16))
      await route.fulfill({ response: await route.fetch({ url }) })
    })
    await page.reload()
    await page.getByRole('button', { name: 'Check the proof' }).click()
    await page.getByText(/^The service has no proof of this auction\./).waitFor()
  })

  test('behavior: in German', async () => {
    const page = await openProofs({ locale: 'de-DE', viewport: { width: 320, height: 900 } })
    await page.getByRole('heading', { level: 1, name: 'Nachweise' }).waitFor()
    await choose(page, proof)
    await page.getByText('Der Nachweis ist gültig', { exact: true }).waitFor()
    await page.getByText('Kein unabhängiger Zeuge').waitFor()
    await page.getByText('Schlüssel, denen Sie vertrauen').click()
    await expectFits(page, [320])
  })
})

/** Fails if the visitor would have to scroll to see this text. */
async function expectInView(page: Page, text: string): Promise<void> {
  const box = await page.getByText(text, { exact: true }).boundingBox()
  expect(box?.y).toBeGreaterThanOrEqual(0)
  expect(box?.y).toBeLessThan(page.viewportSize()?.height ?? 0)
}

async function choose(page: Page, text: string): Promise<void> {
  const file = { name: 'proof.json', mimeType: 'application/json', buffer: Buffer.from(text) }
  await page.locator('input[type=file]').setInputFiles(file)
}

/** Drops a file on the page, as a file manager does. The file has the text `times` times. */
async function drop(page: Page, text: string, times = 1): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([content, count]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([content.repeat(count)], 'dropped.json'))
      return transfer
    },
    [text, times] as const,
  )
  await page.dispatchEvent('main', 'drop', { dataTransfer })
}

/** Focuses a text box and replaces its text. */
async function paste(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name }).focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.insertText(text)
}
