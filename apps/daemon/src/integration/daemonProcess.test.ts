import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Devnet } from '@firmquote/devnet'
import { approveParameters, checkExecutability, ServiceClient, takeQuoteParameters } from '@firmquote/sdk'
import { RfqDaemonClient } from '@firmquote/sdk/node'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { type Program, programOf, startProgram } from '@firmquote/test-support/startProgram'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { until } from '@firmquote/test-support/until'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { erc20Abi, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { openKeystore, sealKeystore } from '../adapters/keystore.ts'
import type { FillNotice } from '../domain/fill.ts'
import { exampleConfiguration } from '../start/exampleConfiguration.ts'

// Runs the published programs: a chain, a server and the daemon, each in a separate process.

const ownPricing = new URL('../index.ts', import.meta.url).href
const password = 'correct horse battery staple'
const usd = 10n ** 6n

let stack: Stack
let devnet: Devnet
let folder: string
let url: string
const programs: Program[] = []

beforeAll(async () => {
  stack = await startStack({ AUCTION_DURATION_MS: '10000' })
  ;({ devnet, folder, url } = stack)
}, 60_000)

afterAll(async () => {
  for (const { child } of programs) child.kill('SIGKILL')
  await stack?.stop()
})

function run(args: readonly string[], env: Record<string, string> = {}): Program {
  const program = startProgram(programOf('daemon'), args, env)
  programs.push(program)
  return program
}

/** Runs an auction and returns its quotes. Calls `onQuote` as each quote arrives. */
async function ask(notional: bigint, onQuote: () => void = () => {}, signal?: AbortSignal) {
  const [{ poolId, series }] = devnet.pools
  const request = { poolId, seriesKey: series[2]?.seriesKey ?? poolId, notional, minNotional: notional }
  const quotes = []
  for await (const event of new ServiceClient({ orderbookUrl: url }).streamQuotes(request, { signal })) {
    if (event.type !== 'quote') continue
    quotes.push(event.data)
    onQuote()
  }
  return { request, quotes }
}

/** Funds the new maker with loan tokens and native coins, and approves the tokens for the quote market. */
async function fund(privateKey: Hex, amount: bigint): Promise<void> {
  const account = { address: privateKeyToAccount(privateKey).address, privateKey }
  const { loanToken } = devnet.contracts
  await devnet.testClient.setBalance({ address: account.address, value: 10n ** 18n })
  const sent = await devnet.walletClient(devnet.backers[1]).writeContract({
    address: loanToken,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [account.address, amount],
  })
  await devnet.publicClient.waitForTransactionReceipt({ hash: sent })
  const approved = await devnet
    .walletClient(account)
    .writeContract(approveParameters({ loanToken, amount: 2n ** 200n }))
  await devnet.publicClient.waitForTransactionReceipt({ hash: approved })
}

/**
 * Writes the example configuration without a keystore, for use with a key from the environment. Returns the file's
 * path.
 */
function writeKeyless(): string {
  const file = join(folder, 'keyless.yaml')
  writeFileSync(file, exampleConfiguration.replace(/^ {2}keystore:.*$/m, '').replace(/^key:$/m, ''))
  return file
}

/** The request sent with netcat in docs/daemon-socket.md. */
function lineOfPage(): string {
  const page = readFileSync(new URL('../../../../docs/daemon-socket.md', import.meta.url), 'utf8')
  return /^echo '(.*)' \| nc /m.exec(page)?.[1] ?? ''
}

/** Sends one line, closes the sending side as netcat does, and returns the response. */
async function send(socketPath: string, line: string): Promise<unknown> {
  const socket = connect(socketPath)
  socket.end(`${line}\n`)
  return JSON.parse(await text(socket))
}

describe('firmquote-daemon', () => {
  test('default: from init to the first taken quote, with kill -9 during an auction, never overcommitted', async () => {
    const secrets = { FIRMQUOTE_KEYSTORE_PASSWORD: password }
    const initialised = run(['init', '--dir', folder], secrets)
    const [, address = ''] = await initialised.says(/The maker is (0x\w{40})\./)
    expect(await initialised.ended).toBe(0)
    const config = join(folder, 'firmquote-daemon.yaml')
    const keystore = join(folder, 'keystore.json')
    // The borrowers in this test provide no proof and request most of the funds.
    const everyone = readFileSync(config, 'utf8').replace(/^( +(?:unverified|taker)Percent): \d+$/gm, '$1: 100')
    const told = join(folder, 'told')
    const hook = join(folder, 'hook.mjs')
    writeFileSync(
      hook,
      `import { readFileSync, writeFileSync } from 'node:fs'
       writeFileSync('${told}', JSON.stringify({ notice: JSON.parse(readFileSync(0, 'utf8')), env: process.env }))`,
    )
    const command = JSON.stringify([process.execPath, hook])
    writeFileSync(config, `${everyone}\nhooks:\n  onFilled:\n    command: ${command}\n`)
    expect([config, keystore].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600])
    const privateKey = await openKeystore(readFileSync(keystore, 'utf8'), password, keystore)
    expect(privateKeyToAccount(privateKey).address).toBe(address)
    // Weaken the keystore, because deriving the key from its password would take a second of CPU time at each start.
    writeFileSync(keystore, await sealKeystore(privateKey, password, { n: 1_024, r: 8, p: 1 }))
    await fund(privateKey, 400_000n * usd)

    const environment = {
      ...secrets,
      FIRMQUOTE_SERVICE_URL: url,
      FIRMQUOTE_RPC_URL: devnet.rpcUrl,
      FIRMQUOTE_MAX_BLOCK_AGE_SECONDS: '36000',
      FIRMQUOTE_SOCKET: join(folder, 'daemon.sock'),
      FIRMQUOTE_LOG_LEVEL: 'debug',
    }
    // A pricer that reports when it starts but never finishes in time, so that the daemon is killed while pricing.
    const slow = join(folder, 'slow.mjs')
    writeFileSync(
      slow,
      `import { priceRfq as own } from '${ownPricing}'
       export async function priceRfq(input) {
         process.stdout.write('pricing\\n')
         await new Promise((resolve) => setTimeout(resolve, 60_000))
         return own(input)
       }`,
    )
    const first = run(['--config', config, '--pricer', slow], environment)
    await first.says(new RegExp(`^ready ${address}$`, 'm'))

    const { promise: onQuote, resolve: quoted } = createDeferred()
    const auction = ask(250_000n * usd, quoted)
    await first.says(/^pricing$/m)
    first.child.kill('SIGKILL')
    await first.ended
    const second = run(['run', '--config', config], environment)
    await onQuote
    second.child.kill('SIGKILL')
    await second.ended

    const third = run(['--config', config], environment)
    const { quotes, request } = await auction
    expect(quotes).toHaveLength(1)
    const [won] = quotes
    if (!won) throw new TypeError('there is no quote')
    expect(won.quote.maker).toBe(address)
    await third.says(/^ready /m)

    // The killed run reserved 250,000 of the 400,000 tokens.
    const [tooMuch, enough] = await Promise.all([ask(250_000n * usd), ask(100_000n * usd)])
    expect(tooMuch.quotes).toEqual([])
    // Check the log first, so that a failure shows its contents.
    expect(third.output()).toMatch(/"code":"NOT_AFFORDABLE"/)
    expect(third.output()).toMatch(/"notional":"100000000000".*"msg":"quoted"/)
    expect(enough.quotes.map(({ quote }) => quote.notional)).toEqual([100_000n * usd])

    const [borrower] = devnet.borrowers
    const { publicClient } = devnet
    const verdict = await checkExecutability(won.quote, { request, borrower: borrower.address, publicClient })
    expect(verdict.executable).toBe(true)
    const hash = await devnet.walletClient(borrower).writeContract(takeQuoteParameters(won.quote))
    expect((await publicClient.waitForTransactionReceipt({ hash })).status).toBe('success')
    await third.says(/"msg":"filled"/)
    await third.says(/"msg":"fill delivered to the hook"/)
    const { notice, env } = JSON.parse(readFileSync(told, 'utf8')) as { notice: FillNotice; env: object }
    expect(notice).toMatchObject({
      ...{ id: won.hash, event: 'filled', maker: address, taker: borrower.address, transactionHash: hash },
      ...{ notional: String(250_000n * usd), cost: String(won.quote.vrtAmount) },
    })
    expect(Object.keys(env).filter((name) => name.startsWith('FIRMQUOTE_'))).toEqual([])

    const operator = new RfqDaemonClient({ socketPath: environment.FIRMQUOTE_SOCKET })
    expect(await operator.status()).toMatchObject({
      ...{ address, paused: false, dryRun: false, service: { url, authenticated: true } },
      hook: { unanswered: 0, lastError: null },
    })
    expect((await operator.listQuotes()).map(({ hash: known }) => known)).toContain(won.hash)
    operator.close()
    expect(await send(environment.FIRMQUOTE_SOCKET, lineOfPage())).toMatchObject({ id: 1, result: { address } })

    // The report needs neither the daemon's database nor the keystore password.
    const { FIRMQUOTE_KEYSTORE_PASSWORD: _, ...keyless } = environment
    await until(async () => {
      const { positions } = await new ServiceClient({ orderbookUrl: url }).getPositions(won.quote.maker)
      return positions.length === 1
    })
    const reported = run(['report', '--json', '--config', config], keyless)
    expect([await reported.ended, reported.text.err]).toEqual([0, ''])
    expect(JSON.parse(reported.text.out)).toMatchObject({
      maker: address,
      positions: [
        {
          borrower: borrower.address,
          notional: String(250_000n * usd),
          premium: String(won.quote.vrtAmount),
          state: 'open',
        },
      ],
      exposure: [{ seriesKey: won.quote.seriesKey, positions: 1, notional: String(250_000n * usd) }],
    })

    third.child.kill('SIGTERM')
    expect(await third.ended).toBe(0)
    expect(existsSync(environment.FIRMQUOTE_SOCKET)).toBe(false)
    const written = programs.map(({ output }) => output()).join('\n')
    expect(written).toMatch(/"msg":"quoted"/)
    for (const secret of [privateKey.slice(2), password, devnet.rpcUrl]) expect(written).not.toContain(secret)
  }, 120_000)

  test('behavior: a dry run logs its price, with a key without funds, next to a daemon with the same database', async () => {
    const config = writeKeyless()
    const env = {
      FIRMQUOTE_PRIVATE_KEY: `0x${'17'.repeat(32)}`,
      FIRMQUOTE_SERVICE_URL: url,
      FIRMQUOTE_RPC_URL: devnet.rpcUrl,
      FIRMQUOTE_MAX_BLOCK_AGE_SECONDS: '36000',
      FIRMQUOTE_DATA_DIR: join(folder, 'dry'),
    }
    const live = run(['--config', config], { ...env, FIRMQUOTE_SOCKET: join(folder, 'live.sock') })
    await live.says(/^ready /m)
    const dry = run(['--dry-run', '--config', config], { ...env, FIRMQUOTE_SOCKET: join(folder, 'dry.sock') })
    await dry.says(/^ready /m)
    const leaving = new AbortController()
    // Keep this auction open. The auction's notional exceeds the funds of the other tests' daemons.
    const auction = ask(500_000n * usd, () => {}, leaving.signal)
    await dry.says(/"notional":"500000000000","vrtAmount":"\d+","deadline":"\d+","msg":"would quote"/)
    await live.says(/"code":"NOT_AFFORDABLE"/)
    leaving.abort()
    await auction.catch(() => {})
    expect(await send(join(folder, 'dry.sock'), lineOfPage())).toMatchObject({ result: { dryRun: true } })
    for (const { child, ended } of [live, dry]) {
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
    }
    expect(dry.output()).not.toMatch(/"msg":"quoted"/)
  })

  test('error: a second daemon on the same database, or on the same socket, is refused in one sentence', async () => {
    const env = {
      FIRMQUOTE_PRIVATE_KEY: devnet.backers[0].privateKey,
      FIRMQUOTE_SERVICE_URL: url,
      FIRMQUOTE_RPC_URL: devnet.rpcUrl,
      FIRMQUOTE_DATA_DIR: join(folder, 'both'),
      FIRMQUOTE_SOCKET: join(folder, 'both.sock'),
    }
    const config = writeKeyless()
    const first = run(['--config', config], env)
    await first.says(/^ready /m)
    const sameDatabase = run(['--config', config], { ...env, FIRMQUOTE_SOCKET: join(folder, 'other.sock') })
    const sameSocket = run(['--config', config], { ...env, FIRMQUOTE_DATA_DIR: join(folder, 'other') })
    expect(await Promise.all([sameDatabase.ended, sameSocket.ended])).toEqual([1, 1])
    expect(sameDatabase.output()).toMatch(/^Another daemon is using the database .*\n$/)
    expect(sameSocket.output()).toMatch(/^Another daemon is using .*both\.sock: .*\n$/)
    expect(existsSync(join(folder, 'other.sock'))).toBe(false)
    expect(await send(env.FIRMQUOTE_SOCKET, lineOfPage())).toMatchObject({ result: { paused: false } })
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
  })
})
