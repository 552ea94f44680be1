import { newcomers } from '@firmquote/devnet'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { base } from 'viem/chains'
import { findBrowser, firefox } from '../../../../scripts/findBrowser.mjs'
import { openFirefox } from './openFirefox.ts'
import { type Demo, startDemo } from './startDemo.ts'
import { createTestWallet } from './testWallet.ts'

const { path = '', missing } = findBrowser(process.env, firefox)
const describeInFirefox = missing === undefined ? describe : describe.skip

describeInFirefox(`the web client in Firefox${missing === undefined ? '' : ` [no browser: ${missing}]`}`, () => {
  let demo: Demo
  beforeAll(async () => {
    demo = await startDemo({ AUCTION_DURATION_MS: '3000' })
  }, 60_000)
  afterAll(() => demo?.stop(), 30_000)

  test('default: a borrower without any approvals fixes a rate, which is recorded on-chain', async () => {
    const [borrower] = newcomers
    const wallet = createTestWallet({ rpcUrl: demo.rpcUrl, chainId: base.id, address: borrower.address })
    const { page, press, find, complaints, close } = await openFirefox(path, demo.url, wallet)
    try {
      await press('button', /^Connect wallet$/)
      await press('button', /Test Wallet$/)
      await find('button', /^0x/)
      // The form is prefilled with the unfixed amount, which the test replaces with a smaller one.
      await press('a', /^Another amount or a limit$/)
      await press('label', /^Amount to fix/)
      await page.keyboard.down('Control')
      await page.keyboard.press('a')
      await page.keyboard.up('Control')
      await page.keyboard.type('50k')
      await press('button:enabled', /^Ask makers for 3 seconds$/)
      await press('a', /^Review and take/)
      // One click requires three confirmations.
      await press('button:enabled', /^Allow and take it for/)
      await find('h1, h2, h3', /^Your rate is fixed$/)
      expect(wallet.asked('eth_sendTransaction')).toBe(3)
      // The allowance was exactly the cost, so taking the offer has used it up.
      expect(await demo.allowanceOf(borrower.address)).toBe(0n)
      expect(complaints).toEqual([])
    } finally {
      await close()
    }
  }, 120_000)
})
