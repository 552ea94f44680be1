// This file exceeds 400 lines because all its tests share one chain and one server, which take seconds to start.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { interestRatePoolAbi } from '@firmquote/core'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Address, createPublicClient, erc20Abi, type Hex, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Backer, startPlannedBacker } from '../../../tests/e2e/src/plannedBacker.ts'
import { startCuttingProxy, startLyingService, startNode } from '../test/proxies.ts'
import { type CliOptions, runCli, startCli } from '../test/runCli.ts'
import { screenAfter } from '../test/screen.ts'
import { exitCodes } from './exitCodes.ts'

// All tests in this file share one server and one chain, because starting them takes longer than running the tests.
// Tests that neither send transactions nor depend on timely quotes run concurrently.

let stack: Stack
let backers: Backer[] = []
let expiry: string
let poolId: string
beforeAll(async () => {
  const limits = { RFQS_PER_MINUTE: '1000', OPEN_RFQS: '20' }
  stack = await startStack({ ...limits, AUCTION_DURATION_MS: '1500', LOG_LEVEL: 'warn' })
  const [first, second] = stack.devnet.backers
  backers = await Promise.all([
    startPlannedBacker(stack.url, first, { aprBps: 700n, delayMs: 50 }),
    startPlannedBacker(stack.url, second, { aprBps: 600n, delayMs: 400 }),
  ])
  const [pool] = stack.devnet.pools
  poolId = pool.poolId
  expiry = String(pool.series[2]?.expiry)
}, 60_000)
afterAll(async () => {
  for (const backer of backers) backer.stop()
  await stack?.stop()
})

const run = (args: string[], { environment = {}, ...options }: CliOptions = {}) =>
  runCli(args, { ...options, environment: { FIRMQUOTE_URL: stack.url, ...environment } })
const borrower = () => stack.devnet.borrowers[0]
const chainAnd = (privateKey?: string) => ({
  FIRMQUOTE_RPC_URL: stack.devnet.rpcUrl,
  ...(privateKey ? { FIRMQUOTE_PRIVATE_KEY: privateKey } : {}),
})
const rfq = (...more: string[]) => ['rfq', '--pool', poolId, '--expiry', expiry, '--notional', '250k', ...more]
/** Arguments for a take with a maximum APR above both backers' rates. */
const taking = ['--take', '--max-apr', '8']
/** Omits progress, which depends on earlier auctions. */
const jsonLines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type !== 'progress')
const escapeCode = '\u001b'

/** Uses the program to sign a quote that anyone may take, and publishes the quote. */
async function publishQuote(changes: Record<string, unknown> = {}): Promise<{ hash: string }> {
  const [maker] = stack.devnet.backers
  const terms = {
    poolId,
    seriesKey: stack.devnet.pools[0].series[2]?.seriesKey,
    notional: '1000000000',
    vrtAmount: '10000000',
    nonce: '0',
    deadline: String(Math.floor(Date.now() / 1000) + 3_600),
    ...changes,
  }
  const signed = await run(['sign', '--json'], {
    input: JSON.stringify(terms),
    environment: { FIRMQUOTE_PRIVATE_KEY: maker.privateKey },
  })
  const response = await fetch(`${stack.url}/api/v1/quotes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: signed.out,
  })
  expect(response.status).toBe(201)
  return (await response.json()) as { hash: string }
}

/**
 * Creates an account with the given amount of the loan token and native coins for gas, but without permissions.
 */
async function newBorrower(amount: bigint): Promise<{ privateKey: Hex; address: Address }> {
  const privateKey = generatePrivateKey()
  const { address } = privateKeyToAccount(privateKey)
  const { testClient, walletClient, publicClient, contracts, backers } = stack.devnet
  await testClient.setBalance({ address, value: 10n ** 18n })
  const hash = await walletClient(backers[0]).writeContract({
    address: contracts.loanToken,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [address, amount],
  })
  await publicClient.waitForTransactionReceipt({ hash })
  return { privateKey, address }
}

function allowanceOf(owner: Address): Promise<bigint> {
  const { publicClient, contracts } = stack.devnet
  const args = [owner, contracts.quoteMarket] as const
  return publicClient.readContract({ address: contracts.loanToken, abi: erc20Abi, functionName: 'allowance', args })
}

describe('firmquote rfq', () => {
  test('default: without a terminal, prints quotes on arrival, the ladder, the best quote and the six checks', async () => {
    const { code, out, err } = await run(rfq('--taker', borrower().address), { environment: chainAnd() })
    expect(err).toBe('')
    expect(code).toBe(exitCodes.ok)
    expect(out).toMatch(/^250,000 tUSD of pool 0x.{4}….{4} until \d{4}-\d\d-\d\d 00:00 UTC, 2 backers asked$/m)
    expect(out.match(/backers asked$/gm)).toHaveLength(1)
    expect(out).toMatch(
      /^7\.00% APR \(7\.\d\d% effective APY\), costs .* tUSD for 250,000 tUSD, by 0x7099.*\n6\.00% APR/m,
    )
    expect(out).toMatch(
      /^closed: 2 quotes\n#.*APR +EFF\. APY.*TIME LEFT\n1 +6\.00% +6\.\d\d%.*\n2 +7\.00% +7\.\d\d%.*\nBest: 6\.00% APR \(6\.\d\d% effective APY\),/m,
    )
    expect(out).toMatch(/Checked at block \d+:\n(ok {2}.*\n){6}$/)
    expect(out).not.toContain(escapeCode)
  })

  test('default: --take takes the best and names the position', async () => {
    const { code, out, err } = await run(rfq('--take', '--max-cost', '20k'), {
      environment: chainAnd(borrower().privateKey),
    })
    expect(err).toBe('')
    expect(code).toBe(exitCodes.ok)
    const hash = /^Sent (0x[0-9a-f]{64}), waiting for it to be mined\.$/m.exec(out)?.[1] as `0x${string}`
    expect(out).toMatch(
      /^Position \d+ was opened in block \d+: 250,000 tUSD fixed at 6\.00% APR \(6\.\d\d% effective APY\) for [\d,.]+ tUSD\.$/m,
    )
    expect(out).toMatch(
      /^Fixed 250,000 tUSD of 250,000 tUSD in 1 take, 1 transaction, at 6\.00% APR \(6\.\d\d% effective APY\) for [\d,.]+ tUSD\.\n$/m,
    )
    const client = createPublicClient({ transport: http(stack.devnet.rpcUrl) })
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
  })

  test('behavior: --json gives one object a line, also for what follows the auction', async () => {
    const keyFile = join(stack.folder, 'borrower.key')
    writeFileSync(keyFile, `${borrower().privateKey}\n`, { mode: 0o600 })
    const { code, out } = await run(
      rfq(...taking, '--share-record', '--json', '--rpc', stack.devnet.rpcUrl, '--key-file', keyFile),
    )
    expect(code).toBe(exitCodes.ok)
    const events = jsonLines(out)
    expect(events.map(({ type }) => type)).toEqual([
      'started',
      'quote',
      'quote',
      'done',
      'checks',
      'sent',
      'taken',
      'fixed',
    ])
    const asked = { notional: '250000000000', taker: borrower().address, takerVerified: true, backers: 2 }
    expect(events[0].data).toMatchObject(asked)
    // The debt and the number of requests depend on earlier tests.
    expect(events[0].data.takerRecord).toEqual({
      unfixedDebt: expect.stringMatching(/^[125]0+$/),
      asked: expect.any(Number),
      taken: expect.any(Number),
    })
    expect(events[4].data).toMatchObject({ executable: true, hash: events[3].data.ranking[0] })
    expect(events[6].data).toMatchObject({ notional: '250000000000', positionId: expect.stringMatching(/^\d+$/) })
    const { cost } = events[6].data
    expect(events[7].data).toEqual({
      requested: '250000000000',
      notional: '250000000000',
      cost,
      takes: 1,
      transactions: 1,
      apr: expect.closeTo(6, 3),
      effectiveApy: expect.closeTo(6.2, 0),
    })
  })

  test('behavior: --no-proof and a service with a wrong identity lead to an unverified RFQ', async () => {
    const environment = chainAnd(borrower().privateKey)
    const without = await run(rfq('--take', '--no-proof', '--json', '--max-cost', '20k'), { environment })
    expect(jsonLines(without.out)[0]).toMatchObject({ type: 'started', data: { takerVerified: false } })
    const service = await startLyingService(stack.url, (text) => text)
    const { out } = await run(rfq('--take', '--json', '--max-cost', '20k', '--url', service.url), { environment })
    service.close()
    expect(jsonLines(out)[0]).toEqual({
      type: 'unproven',
      data: {
        reason: expect.stringMatching(/^Quotes requested without a taker proof: The service claims the origin http/),
      },
    })
    expect(jsonLines(out)[1]).toMatchObject({ type: 'started', data: { takerVerified: false } })
  })

  test('default: --approve takes in one transaction, with an allowance for exactly the cost and the permission of the adapter', async () => {
    const { privateKey, address } = await newBorrower(20_000_000_000n)
    const { code, out, err } = await run(rfq(...taking, '--approve'), { environment: chainAnd(privateKey) })
    expect([code, err]).toEqual([exitCodes.ok, ''])
    expect(out.match(/^Sent /gm)).toHaveLength(1)
    expect(out).toMatch(/^Fixed 250,000 tUSD of 250,000 tUSD in 1 take, 1 transaction, at /m)
    expect(await allowanceOf(address)).toBe(0n)
    const { publicClient, contracts } = stack.devnet
    const isOperator = (operator: Address) =>
      publicClient.readContract({
        address: contracts.interestRatePool,
        abi: interestRatePoolAbi,
        functionName: 'isOperator',
        args: [address, operator],
      })
    expect([await isOperator(contracts.bundlerAdapter), await isOperator(contracts.quoteMarket)]).toEqual([true, false])
    expect(await publicClient.getTransactionCount({ address })).toBe(1)
  })

  test('behavior: --one-by-one sends the missing allowance, for exactly the cost, and the permission, and checks again', async () => {
    const { privateKey, address } = await newBorrower(20_000_000_000n)
    const without = await run(rfq(...taking), { environment: chainAnd(privateKey) })
    expect([without.code, without.out.includes('Sent')]).toEqual([exitCodes.notExecutable, false])
    expect(without.err).toBe(
      `firmquote: The borrower cannot take the best quote. (CHECKS_FAILED)
  to grant the missing permissions: firmquote ${rfq(...taking, '--approve').join(' ')}
  spent: nothing; no transaction was sent\n`,
    )

    const { code, out, err } = await run(rfq(...taking, '--approve', '--one-by-one'), {
      environment: chainAnd(privateKey),
    })
    expect([code, err]).toEqual([exitCodes.ok, ''])
    const hash = '(0x[0-9a-f]{64})'
    const allowed = new RegExp(
      `^Sent ${hash}, which lets the quote market spend your ([\\d,.]+ tUSD); waiting`,
      'm',
    ).exec(out)
    const permitted = new RegExp(
      `^Sent ${hash}, which lets the quote market open positions for you; waiting`,
      'm',
    ).exec(out)
    const taken = new RegExp(
      `^Sent ${hash}, waiting for it to be mined\\.\nPosition .* for ([\\d,.]+ tUSD)\\.\nFixed`,
      'm',
    ).exec(out)
    expect(allowed?.[2]).toBe(taken?.[2])
    const { publicClient } = stack.devnet
    const blocks = await Promise.all(
      [allowed, permitted, taken].map(async (sent) => {
        const receipt = await publicClient.getTransactionReceipt({ hash: sent?.[1] as Hex })
        return receipt.blockNumber
      }),
    )
    const checked = [...out.matchAll(/^Checked at block (\d+):$/gm)].map(([, block]) => BigInt(block ?? 0))
    // Expected order: a check without the permissions, two permission transactions, a check with the permissions, then
    // the take.
    const [before = 0n, after = 0n] = checked
    const [first = 0n, second = 0n, last = 0n] = blocks
    expect(before < first && first < second && second <= after && after < last).toBe(true)
    expect(await allowanceOf(address)).toBe(0n)

    // The permission to open positions remains, but each take consumes its allowance.
    const again = await run(rfq(...taking, '--approve', '--one-by-one', '--json'), {
      environment: chainAnd(privateKey),
    })
    const events = jsonLines(again.out).filter(({ type }) => type !== 'quote')
    const types = ['started', 'done', 'checks', 'approving', 'checks', 'sent', 'taken', 'fixed']
    expect(events.map(({ type }) => type)).toEqual(types)
    expect(events[2].data.checks[5]).toMatchObject({ name: 'borrower', missing: ['allowance'] })
    expect(events[3].data).toEqual({
      permission: 'allowance',
      amount: events[2].data.cost,
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
  }, 30_000)

  test('behavior: --approve sends no transaction if it would not help', async () => {
    const { privateKey, address } = await newBorrower(1n)
    const { code, out, err } = await run(rfq(...taking, '--approve'), { environment: chainAnd(privateKey) })
    expect(code).toBe(exitCodes.notExecutable)
    expect(out).not.toContain('Sent')
    expect(err).toMatch(
      /^firmquote: The borrower cannot take the best quote\. \(CHECKS_FAILED\)\n {2}spent: nothing; no transaction was sent\n {2}next: request less, or get more tUSD: it costs [\d,.]+ tUSD\n$/,
    )
    expect(out).toMatch(/^no {2}borrower's funds: The borrower holds 0\.000001 tUSD; the quotes cost [\d,.]+ tUSD\. /m)
    expect(await allowanceOf(address)).toBe(0n)
  })

  test('behavior: on a terminal the ladder is redrawn in place, with a countdown, within its width', async () => {
    const { result } = startCli(rfq(), { columns: 60, environment: { FIRMQUOTE_URL: stack.url } })
    const { code, out } = await result
    expect(code).toBe(exitCodes.ok)
    expect(out).toMatch(/closes in 1\.\d s: no quotes yet/)
    expect(out).toMatch(/closes in [01]\.\d s: 1 quote\b/)
    expect(out).toMatch(/closes in [01]\.\d s: 2 quotes/)
    expect(out).toContain(`${escapeCode}[1m250,000 tUSD of pool`)
    // The cursor is never hidden, so it never has to be restored.
    expect(out).not.toContain(`${escapeCode}[?25l`)
    expect(screenAfter(out)).toEqual([
      expect.stringMatching(/^250,000 tUSD of pool .*…$/),
      'closed: 2 quotes',
      expect.stringMatching(/^# +APR +EFF\. APY +COST .*/),
      expect.stringMatching(/^1 {2}6\.00%/),
      expect.stringMatching(/^2 {2}7\.00%/),
      expect.stringMatching(/^Best: 6\.00% APR/),
      expect.stringMatching(/^Not checked on-chain: .*\(--rpc\)\.$/),
      '',
    ])
  })

  test.each([
    ['NO_COLOR', '1'],
    ['TERM', 'dumb'],
  ])('behavior: no colours with %s=%s', async (name, value) => {
    const { out } = await run(['pools'], { columns: 100, environment: { [name]: value } })
    expect(out).toContain('POOL')
    expect(out).not.toContain(escapeCode)
  })

  test('behavior: without an account or a chain it says what was not checked', async () => {
    const without = await run(rfq('--json'), { environment: chainAnd() })
    expect(without.code).toBe(exitCodes.ok)
    expect(jsonLines(without.out).at(-1)).toMatchObject({
      type: 'unchecked',
      data: { reason: expect.stringContaining('--taker') },
    })
  })

  test('behavior: Ctrl-C exits immediately and leaves the terminal clean', async () => {
    const { child, says, result } = startCli(rfq(), { columns: 80, environment: { FIRMQUOTE_URL: stack.url } })
    await says(/closes in/)
    child.kill('SIGINT')
    const { code, out, err } = await result
    expect([code, err]).toEqual([exitCodes.interrupted, 'firmquote: Interrupted.\n'])
    // The cursor is on its own line below the output, and no terminal mode is left enabled. The output may include
    // quotes that arrived before the interruption.
    const screen = screenAfter(out)
    expect(screen[0]).toMatch(/^250,000/)
    expect(screen.filter((line) => line.startsWith('closes in'))).toHaveLength(1)
    expect(screen.at(-1)).toBe('')
    expect(out.endsWith(`${escapeCode}[?2026l`)).toBe(true)
    expect(out).not.toContain(`${escapeCode}[?25l`)
  })

  test('behavior: SIGTERM has its own exit code', async () => {
    const { child, says, result } = startCli(rfq('--json'), { environment: { FIRMQUOTE_URL: stack.url } })
    await says(/started/)
    child.kill('SIGTERM')
    const { code, err } = await result
    expect([code, JSON.parse(err).error.code]).toEqual([exitCodes.terminated, 'ABORTED'])
  })

  test('behavior: Ctrl-C while a transaction is being sent still prints its hash', async () => {
    let interrupt = () => {}
    const node = await startNode(stack.devnet.rpcUrl, {
      eth_sendRawTransaction: async () => {
        interrupt()
        await sleep(1_000)
      },
      // The transaction is never mined.
      eth_getTransactionReceipt: { result: null },
    })
    const environment = { ...chainAnd(borrower().privateKey), FIRMQUOTE_URL: stack.url, FIRMQUOTE_RPC_URL: node.url }
    const { child, result } = startCli(rfq(...taking), { environment })
    interrupt = () => child.kill('SIGINT')
    const { code, out, err } = await result
    node.close()
    expect([code, err]).toEqual([exitCodes.interrupted, 'firmquote: Interrupted.\n'])
    expect(out).toMatch(/^Sent 0x[0-9a-f]{64}, waiting for it to be mined\.\n$/m)
  })

  test('error: spending includes a transaction that may have been sent', async () => {
    const refused = { error: { code: -32_000, message: 'the node has lost its head' } }
    const node = await startNode(stack.devnet.rpcUrl, { eth_sendRawTransaction: refused })
    const { code, err } = await run(rfq(...taking), {
      environment: { ...chainAnd(borrower().privateKey), FIRMQUOTE_RPC_URL: node.url },
    })
    node.close()
    expect([code, err]).toEqual([
      exitCodes.unreachable,
      `firmquote: Failed to send the transaction; check whether it was sent before you try again. (CHAIN_UNAVAILABLE)
  spent: 1 transaction with unknown outcome; no quote taken
  next: check the transaction and firmquote positions before you run it again\n`,
    ])
  })

  test('behavior: a stream that breaks during an auction is resumed and loses nothing', async () => {
    const proxy = await startCuttingProxy(stack.url)
    const { code, out, err } = await run(rfq('--json', '--url', proxy.url))
    proxy.close()
    expect([code, err]).toEqual([exitCodes.ok, ''])
    const types = jsonLines(out).map(({ type }) => type)
    expect(types).toEqual(['started', 'quote', 'quote', 'done', 'unchecked'])
  })

  test('behavior: exits when the reader closes the output', async () => {
    const { child, says, result } = startCli(rfq('--json'), { environment: { FIRMQUOTE_URL: stack.url } })
    await says(/started/)
    child.stdout.destroy()
    expect((await result).code).toBe(exitCodes.brokenPipe)
  })

  test('error: no quotes for a small amount', async () => {
    const [{ code, out, err }, taken] = await Promise.all([
      run(rfq('--max-cost', '1')),
      run(rfq('--max-cost', '1', '--take'), { environment: chainAnd(borrower().privateKey) }),
    ])
    const next =
      'next: try another --notional or --expiry or a higher --max-cost, or list published quotes: firmquote quotes'
    const nobody = 'firmquote: No backer quoted. (NOBODY_QUOTED)\n'
    expect([code, err]).toEqual([exitCodes.notExecutable, `${nobody}  ${next}\n`])
    expect(out).toMatch(/closed: no quotes/)
    expect(taken.err).toBe(`${nobody}  spent: nothing; no transaction was sent\n  ${next}\n`)
  })

  test.each([
    ['nothing', ['--notional', '0'], /above zero/],
    ['both an expiry and a series', ['--series', '0x1'], /either --expiry or --series/],
    ['a taker that is none', ['--taker', '0x12'], /--taker must be an address/],
    ['no key for --take', taking, /A private key is required/],
    ['no limit for --take', ['--take'], /--take requires a price limit/],
    ['two limits', ['--max-cost', '1', '--max-apr', '8'], /not both/],
    ['a least of more than all', ['--min-notional', '250001'], /--min-notional must be/],
    ['--take with the number of a pool', [...taking, '--pool', '1'], /--take requires the pool's full id/],
    ['--until before --expiry', ['--until', '2026-01-01'], /--until must not be before --expiry/],
    ['--approve without --take', ['--approve'], /--approve requires --take/],
    ['--share-record without --take', ['--share-record'], /--share-record requires --take/],
    ['--share-record without a proof', ['--take', '--no-proof', '--share-record'], /conflicts with --no-proof/],
    ['--one-by-one without --take', ['--one-by-one'], /--one-by-one requires --take/],
  ])('error: %s', async (_what, more, sentence) => {
    const { code, out, err } = await run(rfq(...more))
    expect([code, out]).toEqual([exitCodes.usage, ''])
    expect(err).toMatch(sentence)
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  test('error: a wrong chain is reported before any backer is asked', async () => {
    const key = borrower().privateKey
    const [without, other, gone] = await Promise.all([
      run(rfq(...taking), { environment: { FIRMQUOTE_PRIVATE_KEY: key } }),
      run(rfq(...taking, '--chain-id', '1'), { environment: chainAnd(key) }),
      run(rfq(...taking, '--rpc', 'http://127.0.0.1:9/v2/secret-in-the-path'), { environment: chainAnd(key) }),
    ])
    expect([without.code, without.out]).toEqual([exitCodes.usage, ''])
    expect(without.err).toMatch(/--rpc/)
    expect([other.code, other.out]).toEqual([exitCodes.usage, ''])
    expect(other.err).toMatch(/is on chain 8453, not on chain 1\./)
    expect([gone.code, gone.out]).toEqual([exitCodes.unreachable, ''])
    expect(gone.err).toBe('firmquote: The node at --rpc does not respond. (CHAIN_UNAVAILABLE)\n')
  })

  test.each([
    [
      'that it has other decimals than the chain says',
      (text: string) => text.replaceAll('"decimals":6', '"decimals":18'),
      /token has 6 decimals on-chain, but 18 according to the service/,
    ],
    [
      'that the series ends at another time',
      (text: string) => text.replace(/"expiry":\d+/, '"expiry":1999999999'),
      /The series of the best quote expires at 2\d{3}-.*, not at 2033-05-18 03:33:19 UTC as the service reported/,
    ],
    [
      'that a later series has the requested expiry',
      (text: string) => {
        const [, , requested, , later] = stack.devnet.pools[0].series
        return text.replaceAll(requested?.seriesKey ?? '', later?.seriesKey ?? '')
      },
      /The series ends at \d+, after the latest accepted \d+/,
    ],
  ])('error: a service that lies, %s, gets nothing taken', async (_what, lie, sentence) => {
    const service = await startLyingService(stack.url, lie)
    const { code, out, err } = await run(rfq(...taking, '--url', service.url), {
      environment: chainAnd(borrower().privateKey),
    })
    service.close()
    expect(err).toMatch(sentence)
    expect(code).toBe(exitCodes.notExecutable)
    expect(out).not.toContain('Sent')
  })

  test('error: the first series after --expiry ends too late, unless --until accepts it', async () => {
    const early = String(Number(expiry) - 8 * 86_400)
    const key = { environment: chainAnd(borrower().privateKey) }
    const [first, second] = stack.devnet.pools[0].series
    expect(Number(expiry) - Number(second?.expiry)).toBeGreaterThan(8 * 86_400)
    expect(first).toBeDefined()
    const asked = ['rfq', '--pool', poolId, '--expiry', early, '--notional', '250k', ...taking]
    const refused = await run(asked, key)
    expect([refused.code, refused.out]).toEqual([exitCodes.usage, ''])
    expect(refused.err).toContain(`add --until ${expiry}`)
    // The auction starts, but the limit of 1 % is below every quote.
    const accepted = await run([...asked.slice(0, -1), '1', '--until', expiry], key)
    expect(accepted.err).toContain('CHECKS_FAILED')
  })

  test("error: the service's refusal, in its own words", async () => {
    const { code, err } = await run(['rfq', '--pool', '1', '--expiry', '2099-01-01', '--notional', '1', '--json'])
    expect(code).toBe(exitCodes.refused)
    expect(JSON.parse(err).error).toMatchObject({
      code: 'SERIES_NOT_FOUND',
      status: expect.any(Number),
      requestId: expect.any(String),
      facts: { available: expect.arrayContaining([Number(expiry)]) },
    })
  })

  test('error: a refusal as text has dates, amounts in tokens and a hint', async () => {
    const key = { environment: chainAnd(borrower().privateKey) }
    const [late, small, large] = await Promise.all([
      run(['rfq', '--pool', poolId, '--expiry', '2099-01-01', '--notional', '1k', ...taking], key),
      run(['rfq', '--pool', '1', '--expiry', expiry, '--notional', '0.000001']),
      run(['rfq', '--pool', '1', '--expiry', expiry, '--notional', '900m']),
    ])
    expect(late.err).toMatch(
      /^firmquote: The pool 0x[0-9a-f]{64} has no active series with that or a later expiry. Its active expiries are \d{4}-\d\d-\d\d 00:00 UTC, .*UTC\. \(SERIES_NOT_FOUND\)\n {2}spent: nothing; no transaction was sent\n {2}next: use the expiry day of a series, .*\n {2}request /,
    )
    expect(small.err).toMatch(
      /^firmquote: The notional 0\.000001 tUSD is below the minimum of [\d,.]+ tUSD\. \(NOTIONAL_TOO_SMALL\)\n {2}next: increase --notional/,
    )
    expect(large.err).toMatch(/^firmquote: The notional 90,000,000 tUSD is above .* tUSD\. \(CAPACITY_EXCEEDED\)\n/)
  })
})

describe('list and show commands', () => {
  // Publish two quotes, so that a page size of one requires a second page.
  beforeAll(async () => {
    await Promise.all(['2000000000', '3000000000'].map((notional) => publishQuote({ notional })))
  }, 30_000)

  test('behavior: --help, --version and help need no service', async () => {
    const runs = [['--help'], ['help', 'rfq'], ['rfq', '--help'], ['--version']].map((args) =>
      runCli(args, { environment: { FIRMQUOTE_URL: 'http://127.0.0.1:9' } }),
    )
    const [help, ...others] = await Promise.all(runs)
    expect(help?.out).toMatch(
      /Usage: firmquote[\s\S]*Exit codes: 0 ok, 1 failure, 2 usage, 3 refused, 4 not executable/,
    )
    expect(others.map(({ out }) => out.split('\n')[0])).toEqual([
      'Usage: firmquote rfq [options]',
      'Usage: firmquote rfq [options]',
      expect.stringMatching(/^\d+\.\d+\.\d+/),
    ])
    for (const { code, err } of await Promise.all(runs)) expect([code, err]).toEqual([exitCodes.ok, ''])
  })

  test('behavior: pools at a size, in units of the token of one pool, by its number in the list', async () => {
    const all = jsonLines((await run(['pools', '--json'])).out)[0]
    const notional = 80_000_000_000n
    const { hash } = await publishQuote({ notional: String(notional), vrtAmount: '800000000' })
    const depthAt = async (size: string) => {
      const [pool] = jsonLines((await run(['pools', '--pool', '1', '--notional', size, '--json'])).out)[0]
      return pool.series[2].depth.quotes
    }
    // A quote counts if it covers at least half of the requested size, but no more than the whole size.
    expect([await depthAt('100k'), await depthAt('79999')]).toEqual([1, 0])
    const { out } = await run(['pools', '--pool', all[1].poolId, '--notional', '100k'])
    expect(out).toMatch(/^# {2}POOL .*CAPACITY\n(?:2 {2}0x.*\n){5}$/)
    expect((await run(['quote', hash])).code).toBe(exitCodes.ok)
  })

  test('default: pools, rates and health', async () => {
    const pools = await run(['pools'])
    expect(pools.out).toMatch(/^# {2}POOL .*CAPACITY\n1 {2}0x.*\n(?:.*\n){8}2 {2}0x.*\n$/)
    expect(jsonLines((await run(['pools', '--json'])).out)[0]).toHaveLength(2)
    expect((await run(['rates'])).out).toMatch(/^PROTOCOL +MARKET.*\n(?:.*%.*\n){2}$/)
    const health = await run(['health'])
    expect([health.code, health.out]).toEqual([exitCodes.ok, expect.stringMatching(/^service +http.*\nstatus +ok\n/)])
  })

  test('default: sign, quotes, quote, cancel', async () => {
    const { hash } = await publishQuote()
    const list = await run([
      'quotes',
      '--pool',
      poolId.slice(0, 10),
      '--min',
      '1k',
      '--max',
      '1k',
      '--sort',
      'rate',
      '--limit',
      '1',
    ])
    expect(list.out).toMatch(new RegExp(`^HASH .*EXECUTABLE\\n${hash} +\\d.* yes\\n$`))
    // The next page's cursor is written to standard error.
    const page = await run(['quotes', '--limit', '1'])
    expect([page.out.split('\n').length, page.err]).toEqual([3, expect.stringMatching(/^More: --cursor \S+\n$/)])
    const one = await run(['quote', hash])
    expect(one.out).toMatch(/^status +active\n(?:.*\n)*taker +anyone$/m)

    const [maker, other] = stack.devnet.backers
    const wrong = await run(['cancel', hash], { environment: chainAnd(other.privateKey) })
    expect([wrong.code, wrong.out]).toEqual([exitCodes.usage, ''])
    expect(wrong.err).toMatch(/The quote's maker is 0x7099.*, but the key belongs to 0x3C44/)

    const cancelled = await run(['cancel', hash], { environment: chainAnd(maker.privateKey) })
    expect([cancelled.err, cancelled.code]).toEqual(['', exitCodes.ok])
    expect(cancelled.out).toMatch(
      /^Sent 0x[0-9a-f]{64}, waiting for it to be mined\.\nThe quote was cancelled in block \d+\.\n$/,
    )

    const again = await untilEnded(hash)
    expect([again.code, again.err]).toEqual([
      exitCodes.notExecutable,
      'firmquote: The quote is not active: cancelled. (QUOTE_NOT_ACTIVE)\n',
    ])
  })

  test('default: positions', async () => {
    const { out, code } = await run(['positions', stack.devnet.borrowers[1].address])
    expect(code).toBe(exitCodes.ok)
    // The second borrower owes 2,500,000 against 2,000 tWETH at a price of 3,000. With a limit of 86 %, the health
    // factor is 2.06.
    expect(out).toMatch(
      /^KIND .* GETS +COLLATERAL +HEALTH\ndebt +- .* tUSD .* 2,000 tWETH +2\.06\ndebt .* tBTC +2\.41\n$/,
    )
    const onScreen = await run(['positions', stack.devnet.borrowers[1].address], { columns: 120 })
    expect(screenAfter(onScreen.out).join('\n')).toMatch(
      /^Variable-rate debts at block \d+\nPOOL .* DEBT +COLLATERAL +HEALTH\n0x.* tUSD +2,000 tWETH +2\.06\n0x.* tUSD +50 tBTC +2\.41\n\nOpen fixed-rate positions\nnone\n$/,
    )
    const json = await run(['positions', stack.devnet.borrowers[1].address, '--json'])
    expect(JSON.parse(json.out)).toMatchObject({ positions: [] })
  })

  test('default: rates history, with what was fixed on-chain', async () => {
    expect((await run(rfq(...taking), { environment: chainAnd(borrower().privateKey) })).code).toBe(exitCodes.ok)
    let out = ''
    // The server dates the fill after its next sync. It caches the answer for each range.
    for (let days = 300; !/^fixed/m.test(out); days += 1) {
      const from = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
      const result = await run(['rates', 'history', '--pool', '1', '--from', from])
      expect([result.code, result.err]).toEqual([exitCodes.ok, ''])
      out = result.out
    }
    expect(out).toMatch(
      /^RATE +AT +APR +EFF\. APY +UNTIL +SIZE +FILLS +BLOCK\n(?:(?:floating|fixed|offer) +\d{4}-.*\n)+$/,
    )
    expect(out).toMatch(
      /^fixed +\d{4}-\d\d-\d\d 00:00 UTC +6\.00% +6\.\d\d% +\d{4}-\d\d-\d\d 00:00 UTC +[\d,]+ tUSD +\d+ +-$/m,
    )
    const json = await run(['rates', 'history', '--pool', '1', '--from', '2020-01-01', '--to', '2020-02-01', '--json'])
    const [from, to] = [Date.UTC(2020, 0) / 1_000, Date.UTC(2020, 1) / 1_000]
    expect(JSON.parse(json.out)).toEqual({ poolId, from, to, step: 3_600, floating: [], fixed: [] })
  })

  test.each([
    ['pools --notional without a pool', ['pools', '--notional', '1k']],
    ['pools --notional of nothing', ['pools', '--pool', '1', '--notional', '0']],
    ['quotes --maker', ['quotes', '--maker', '0x12']],
    ['quotes --limit', ['quotes', '--limit', '0']],
    ['quotes --min without a pool', ['quotes', '--min', '1k']],
    ['quotes --sort', ['quotes', '--sort', 'apr']],
    ['positions', ['positions', '0x12']],
    ['rates history without a pool', ['rates', 'history']],
    ['rates of a pool', ['rates', '--pool', '1']],
    ['rates since a day', ['rates', '--from', '2026-01-01']],
    ['rates until a day', ['rates', '--to', '2026-01-01']],
    ['rates history from no day', ['rates', 'history', '--pool', '1', '--from', '2026-02-30']],
    ['rates of something else', ['rates', 'future', '--pool', '1']],
    ['quote', ['quote', '0x12']],
    ['--url', ['health', '--url', 'ftp://localhost']],
    ['--chain-id', ['health', '--chain-id', '0x1']],
    ['no command', []],
  ])('error: wrong usage of %s', async (_what, args) => {
    const { code, out, err } = await run(args)
    expect([code, out]).toEqual([exitCodes.usage, ''])
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  test('error: an unknown quote', async () => {
    const { code, err } = await run(['quote', `0x${'0'.repeat(64)}`])
    expect([code, err]).toEqual([
      exitCodes.refused,
      expect.stringMatching(/^firmquote: .* \(QUOTE_NOT_FOUND\)\n {2}next: .*\n {2}request /),
    ])
  })

  test('error: an unreachable service', async () => {
    const { code, err } = await run(['health', '--url', 'http://127.0.0.1:9', '--json'])
    expect([code, JSON.parse(err).error.code]).toEqual([exitCodes.unreachable, 'CONNECTION_FAILED'])
  })
})

/** Waits until the server has seen the cancellation, then cancels again. */
async function untilEnded(hash: string) {
  const [maker] = stack.devnet.backers
  for (;;) {
    const { out } = await run(['quote', hash, '--json'])
    if (JSON.parse(out).status !== 'active') return run(['cancel', hash], { environment: chainAnd(maker.privateKey) })
  }
}
