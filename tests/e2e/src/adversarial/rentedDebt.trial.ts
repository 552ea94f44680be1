// One collateral gives several accounts a debt, one after another, each for the few blocks that its request needs. The
// attack requires the collateral, which the attacker keeps, and the gas of five transactions for each request.

import { morphoAbi, testTokenAbi } from '@firmquote/devnet'
import { approveParameters, proveTaker, ServiceClient } from '@firmquote/sdk'
import { startDaemon } from '@firmquote/test-support/startDaemon'
import { afterEach, expect, test } from '@jest/globals'
import { maxUint256, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { stopAfter } from '../stopAfter.ts'
import { ageDebts, debtAgeBlocks, expectSynced, startAdversarialFixture } from './adversarialFixture.ts'
import { createAccount, owe } from './owe.ts'

const usd = 1_000_000n
const notional = 500_000n * usd
const rounds = 4
const settings = { AUCTION_DURATION_MS: '4000', DEBT_AGE_BLOCKS: String(debtAgeBlocks) }

const started = stopAfter(afterEach)

test('behavior: a debt that moves from account to account verifies none of them', async () => {
  const fixture = started(await startAdversarialFixture(settings))
  const { devnet, url, series, folder } = fixture
  const { contracts, publicClient, pools } = devnet
  const maker = devnet.backers[1]
  const mined = async (hash: Promise<`0x${string}`>) => publicClient.waitForTransactionReceipt({ hash: await hash })
  // Each verified taker may reserve a quarter of the maker's funds.
  const allowance = approveParameters({ loanToken: contracts.loanToken, amount: BigInt(rounds) * notional })
  await mined(devnet.walletClient(maker).writeContract(allowance as never))
  const shares = { unverifiedPercent: 20, takerPercent: 25 }
  const daemon = started(startDaemon(fixture, { account: maker, folder, spreadBps: 25, lifetimeSeconds: 300, shares }))
  await daemon.says(/^ready /m)
  await ageDebts(fixture)

  const client = new ServiceClient({ orderbookUrl: url })
  /** Opens an auction and returns whether the taker was verified and what the daemon quoted. */
  const ask = async (account: { privateKey: `0x${string}` }) => {
    const proof = await proveTaker(client, { account: privateKeyToAccount(account.privateKey) })
    let [verified, quoted] = [false, 0n]
    for await (const event of client.streamQuotes({ ...series, notional, ...proof })) {
      if (event.type === 'started') verified = event.data.takerVerified === true
      if (event.type === 'quote') quoted = event.data.quote.notional
      if (event.type === 'quote' || event.type === 'done') break
    }
    return { verified, quoted }
  }
  const args = [pools[0].market] as const
  const [loanToken, collateralToken, oracle, irm, lltv] = await publicClient.readContract({
    ...{ address: contracts.morpho, abi: morphoAbi, functionName: 'idToMarketParams', args },
  })
  const params = { loanToken, collateralToken, oracle, irm, lltv }
  const morpho = { address: contracts.morpho, abi: morphoAbi } as const
  /** Repays everything, and takes the collateral back for the next account. */
  const repay = async (account: typeof maker) => {
    const own = devnet.walletClient(account)
    const position = [pools[0].market, account.address] as const
    const [, borrowed] = await publicClient.readContract({ ...morpho, functionName: 'position', args: position })
    const token = { address: loanToken, abi: testTokenAbi } as const
    await mined(own.writeContract({ ...token, functionName: 'mint', args: [account.address, usd] }))
    await mined(own.writeContract({ ...token, functionName: 'approve', args: [contracts.morpho, maxUint256] }))
    const repayment = [params, 0n, borrowed, account.address, '0x'] as const
    await mined(own.writeContract({ ...morpho, functionName: 'repay', args: repayment }))
    const withdrawal = [params, parseUnits('2000', 18), account.address, account.address] as const
    await mined(own.writeContract({ ...morpho, functionName: 'withdrawCollateral', args: withdrawal }))
  }

  const accounts = []
  let reserved = 0n
  for (let round = 0; round < rounds; round += 1) {
    const account = await createAccount(devnet.testClient)
    accounts.push(account)
    await owe(devnet, account, notional)
    await expectSynced(fixture)
    const { verified, quoted } = await ask(account)
    expect(verified).toBe(false)
    reserved += quoted
    await repay(account)
    await expectSynced(fixture)
  }
  // This is the share for all unverified RFQs together.
  expect(reserved).toBe((BigInt(rounds) * notional) / 5n)
  expect(await ask(devnet.borrowers[0])).toEqual({ verified: true, quoted: notional })

  const [first, last] = [accounts[0] ?? maker, accounts.at(-1) ?? maker]
  await owe(devnet, last, notional)
  await ageDebts(fixture)
  expect(await ask(last)).toEqual({ verified: true, quoted: notional })
  expect(await ask(first)).toMatchObject({ verified: false })
}, 300_000)
