import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { borrowers } from '@firmquote/devnet'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { build } from 'esbuild'
import { fencedBlocks } from '../docs/fencedBlocks.ts'
import { root } from '../pack.ts'
import { createProject, type Project } from '../project.ts'
import { describeInDemo } from './describeInBrowser.ts'

describeInDemo('the example of @firmquote/react', { AUCTION_DURATION_MS: '1500' }, ({ open, demo, createWallet }) => {
  let project: Project
  beforeAll(async () => {
    project = await createProject()
  }, 180_000)
  afterAll(() => project?.remove())

  /** Bundles the README's dapp from the packed tarballs, configured for this demo. */
  async function bundleExample(): Promise<string> {
    const [pool] = await demo().client.getPoolRates()
    const readme = readFileSync(join(root, 'packages/react/README.md'), 'utf8')
    const { text = '' } = fencedBlocks(readme).find(({ language }) => language === 'tsx') ?? {}
    expect(text).toContain('POOL_ID')
    const example = text
      .replaceAll('http://localhost:3005', demo().url)
      .replaceAll('POOL_ID', pool?.poolId ?? '')
      .replaceAll('EXPIRY', String(pool?.series[1]?.expiry))
    const { outputFiles } = await build({
      entryPoints: [project.write('dapp.tsx', example)],
      bundle: true,
      platform: 'browser',
      format: 'iife',
      jsx: 'automatic',
      write: false,
      logLevel: 'silent',
    })
    return outputFiles[0]?.text ?? ''
  }

  test('default: asks, takes the best quote and shows the position', async () => {
    const script = await bundleExample()
    const wallet = createWallet(borrowers[1].address)
    // Opens any response from the service, so that the dapp has the same origin.
    const page = await open('/api/v1/health', { wallet, noise: /favicon/ })
    await page.route(`${demo().url}/dapp`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><div id="root"></div><script src="/dapp.js"></script>',
      }),
    )
    await page.route(`${demo().url}/dapp.js`, (route) =>
      route.fulfill({ contentType: 'text/javascript; charset=utf-8', body: script }),
    )
    await page.goto(`${demo().url}/dapp`)
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('button', { name: 'Ask for quotes' }).click()
    await page.getByRole('button', { name: /^take for .*%/ }).click()
    await page.getByText(/^Position \d+ is open$/).waitFor()
    expect(wallet.asked('eth_sendTransaction')).toBe(1)
  })
})
