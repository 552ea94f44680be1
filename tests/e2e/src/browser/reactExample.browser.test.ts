import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { borrowers } from '@firmquote/devnet'
import { ServiceClient } from '@firmquote/sdk'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { build } from 'esbuild'
import { base } from 'viem/chains'
import { root } from '../pack.ts'
import { createProject, type Project } from '../project.ts'
import { describeInBrowser } from './describeInBrowser.ts'
import { openPage } from './openPage.ts'
import { type Demo, startDemo } from './startDemo.ts'
import { createTestWallet } from './testWallet.ts'

describeInBrowser('the example of @firmquote/react', (browser) => {
  let demo: Demo
  let project: Project
  beforeAll(async () => {
    ;[demo, project] = await Promise.all([startDemo({ AUCTION_DURATION_MS: '1500' }), createProject()])
  }, 180_000)
  afterAll(async () => {
    project?.remove()
    await demo?.stop()
  }, 30_000)

  /** The README's dapp, bundled from the packed tarballs, for this demo. */
  async function bundleExample(): Promise<string> {
    const [pool] = await new ServiceClient({ orderbookUrl: demo.url }).getPoolRates()
    const [, text = ''] = /```tsx\n(.*?)```/s.exec(readFileSync(join(root, 'packages/react/README.md'), 'utf8')) ?? []
    expect(text).toContain('POOL_ID')
    const example = text
      .replaceAll('http://localhost:3005', demo.url)
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
    const wallet = createTestWallet({ rpcUrl: demo.rpcUrl, chainId: base.id, address: borrowers[1].address })
    // Anything of the service: the dapp then has its origin.
    const { page, expectQuiet, close } = await openPage(browser(), `${demo.url}/api/v1/health`, { wallet })
    await page.route(`${demo.url}/dapp`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><div id="root"></div><script src="/dapp.js"></script>',
      }),
    )
    await page.route(`${demo.url}/dapp.js`, (route) =>
      route.fulfill({ contentType: 'text/javascript; charset=utf-8', body: script }),
    )
    await page.goto(`${demo.url}/dapp`)
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('button', { name: 'Ask for quotes' }).click()
    await page.getByRole('button', { name: /^take for .*%/ }).click()
    await page.getByText(/^Position \d+ is open$/).waitFor()
    expect(wallet.calls.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1)
    expectQuiet(/favicon/)
    await close()
  }, 60_000)
})
