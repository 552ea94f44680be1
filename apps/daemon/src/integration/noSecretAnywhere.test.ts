import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { createLogger } from '@firmquote/node-runtime/createLogger'
import { ServiceClient } from '@firmquote/sdk'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { openRawConnection } from '@firmquote/test-support/rawConnection'
import { type Program, programOf, startProgram } from '@firmquote/test-support/startProgram'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { bytesToHex, type Hex, hexToBytes } from 'viem'
import { openKeystore, sealKeystore } from '../adapters/keystore.ts'
import { priceRfq } from '../domain/priceRfq.ts'
import { daemonMethodNames } from '../rpc/daemonMethods.ts'
import { exampleConfiguration } from '../start/exampleConfiguration.ts'
import { keyEncodings } from '../start/keyEncodings.ts'
import { loadConfiguration } from '../start/loadConfiguration.ts'
import { startDaemon } from '../start/startDaemon.ts'

// Runs a daemon with the most verbose logging, then searches all its output for secrets.

const password = 'p@ss"word \\ of a daemon'
const whole = { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true, maxArrayLength: null } as const

let stack: Stack
let folder: string
let environment: Record<string, string>
const programs: Program[] = []
/** Everything the programs wrote, with its location. */
const seen: [string, Buffer | string][] = []

beforeAll(async () => {
  stack = await startStack({ AUCTION_DURATION_MS: '3000', LOG_LEVEL: 'trace' })
  // The server's files are searched, too.
  folder = stack.folder
  environment = {
    FIRMQUOTE_SERVICE_URL: stack.url,
    FIRMQUOTE_RPC_URL: stack.devnet.rpcUrl,
    FIRMQUOTE_MAX_BLOCK_AGE_SECONDS: '36000',
    FIRMQUOTE_SOCKET: join(folder, 'daemon.sock'),
    FIRMQUOTE_LOG_LEVEL: 'trace',
  }
}, 60_000)

afterAll(async () => {
  for (const { child } of programs) child.kill('SIGKILL')
  await stack?.stop()
})

/** Runs the daemon and records its command line, which is visible in the process list. */
function run(args: readonly string[], env: Record<string, string>): Program {
  const program = startProgram(programOf('daemon'), args, { ...environment, ...env })
  programs.push(program)
  seen.push([`the command line of ${args.join(' ')}`, readFileSync(`/proc/${program.child.pid}/cmdline`)])
  return program
}

/**
 * Copies a running daemon's files, including database content that is not checkpointed yet. A temporary file may be
 * renamed meanwhile; its next version is read in the same way.
 */
function keepFiles(run: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === 'keystore.json') continue
    const file = join(entry.parentPath, entry.name)
    try {
      seen.push([`${file} in ${run}`, readFileSync(file)])
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || !file.endsWith('.tmp')) throw error
    }
  }
}

async function auction(): Promise<number> {
  const [{ poolId, series }] = stack.devnet.pools
  const client = new ServiceClient({ orderbookUrl: environment['FIRMQUOTE_SERVICE_URL'] ?? '' })
  let count = 0
  for await (const event of client.streamQuotes({
    poolId,
    seriesKey: series[2]?.seriesKey ?? poolId,
    notional: 10_000n * 10n ** 6n,
  })) {
    if (event.type === 'quote') count += 1
  }
  return count
}

/** Calls every method with valid and invalid parameters, and records the answers. */
async function callEverything(): Promise<void> {
  const connection = await openRawConnection(environment['FIRMQUOTE_SOCKET'] ?? '')
  const ask = async (method: string, params?: unknown) => {
    const answer = await connection.ask({ jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) })
    seen.push([`the answer to ${method} ${JSON.stringify(params)}`, JSON.stringify(answer)])
    return answer as { result?: { quotes: { rfqId: string; quote: Record<string, string> }[] } }
  }
  for (const method of [...daemonMethodNames, 'nothing'].filter((name) => name !== 'shutdown')) {
    await ask(method)
    await ask(method, { wrong: [method] })
  }
  await ask('setPolicy', { tickBps: 2 })
  await ask('resume')
  expect(await auction()).toBe(1)
  const [{ rfqId, quote } = { rfqId: '', quote: {} }] = (await ask('listQuotes')).result?.quotes ?? []
  const { signature: _, ...terms } = quote
  const signed = await ask('signQuote', { quote: { ...terms, salt: `0x${'77'.repeat(32)}` } })
  expect(signed).toMatchObject({ result: { signature: expect.stringMatching(/^0x/) } })
  await ask('signQuote', { quote: { ...terms, maker: stack.devnet.borrowers[0].address } })
  await ask('submitQuote', { rfqId, quote })
  connection.socket.destroy()
  await connection.closed
}

/** A pricer that writes everything it can access to a file and crashes the daemon. */
const inspectingPricer = `
import { writeFileSync } from 'node:fs'
import { inspect } from 'node:util'
export function priceRfq(input) {
  const whole = ${JSON.stringify({ ...whole, depth: 20 })}
  writeFileSync(process.env.INSPECTED_FILE, [inspect([input, process, globalThis], whole), JSON.stringify(process.report.getReport())].join())
  queueMicrotask(() => { throw Object.assign(new Error('the pricer has failed badly'), { env: process.env, argv: process.argv }) })
  return { kind: 'decline', code: 'INSPECTED', reason: inspect(process.env) }
}`

async function expectNothing(privateKey: Hex): Promise<void> {
  for (const [place, content] of seen)
    expect({ place, found: findSecret(content, { privateKey, password }) }).toEqual({ place, found: null })
}

describe('the key and the password', () => {
  test('default: are nowhere, in runs of daemons with a keystore', async () => {
    const secret = { FIRMQUOTE_KEYSTORE_PASSWORD: password }
    const init = run(['init', '--dir', folder], secret)
    expect(await init.ended).toBe(0)
    const config = join(folder, 'firmquote-daemon.yaml')
    const file = join(folder, 'keystore.json')
    const privateKey = await openKeystore(readFileSync(file, 'utf8'), password, file)
    // Weaken the keystore, because deriving the key from its password would take a second of CPU time at each start.
    writeFileSync(file, await sealKeystore(privateKey, password, { n: 1_024, r: 8, p: 1 }))
    const [, maker] = /The maker is (0x\w{40})\./.exec(init.output()) ?? []
    const address = maker as Hex
    await stack.devnet.testClient.setBalance({ address, value: 10n ** 18n })
    await stack.devnet.walletClient(stack.devnet.deployer).writeContract({
      address: stack.devnet.contracts.loanToken,
      abi: [
        {
          type: 'function',
          name: 'mint',
          stateMutability: 'nonpayable',
          inputs: [{ type: 'address' }, { type: 'uint256' }],
          outputs: [],
        },
      ],
      functionName: 'mint',
      args: [address, 10n ** 12n],
    })
    expect(await run(['approve', '500000', '--config', config], secret).ended).toBe(0)

    const daemon = run(['--config', config], secret)
    await daemon.says(/^ready /m)
    await callEverything()
    keepFiles('the first run')
    daemon.child.kill('SIGTERM')
    expect(await daemon.ended).toBe(0)

    const killed = run(['--config', config], secret)
    await killed.says(/^ready /m)
    killed.child.kill('SIGKILL')
    await killed.ended
    keepFiles('the run that was killed')

    for (const { child, output } of programs) seen.push([`the output of ${child.spawnargs.join(' ')}`, output()])
    seen.push(['the output of the server', stack.logs()])
    expect(daemon.output()).toMatch(/"msg":"quoted"/)
    expect(seen.length).toBeGreaterThan(2 * daemonMethodNames.length)
    await expectNothing(privateKey)
  }, 120_000)

  test('default: are nowhere, in a run with the key from the environment that ends in a crash', async () => {
    const { privateKey } = stack.devnet.backers[0]
    const config = join(folder, 'keyless.yaml')
    writeFileSync(config, exampleConfiguration.replace(/^ {2}keystore:.*$/m, '').replace(/^key:$/m, ''))
    const pricer = join(folder, 'inspecting.mjs')
    writeFileSync(pricer, inspectingPricer)
    const inspectedFile = join(folder, 'inspected.txt')
    const daemon = run(['--config', config, '--pricer', pricer], {
      FIRMQUOTE_PRIVATE_KEY: privateKey,
      FIRMQUOTE_KEYSTORE_PASSWORD: password,
      FIRMQUOTE_DATA_DIR: join(folder, 'other'),
      INSPECTED_FILE: inspectedFile,
    })
    await daemon.says(/^ready /m)
    expect(await auction()).toBe(0)
    expect(await daemon.ended).toBe(1)
    expect(daemon.output()).toMatch(/the pricer has failed badly/)
    expect(readFileSync(inspectedFile, 'utf8')).toContain('INSPECTED_FILE')
    keepFiles('the run that crashed')
    seen.push(['the output of the run that crashed', daemon.output()])
    await expectNothing(privateKey)
  }, 60_000)

  test('default: are nowhere in the objects of a program that runs a daemon', async () => {
    const { privateKey } = stack.devnet.backers[1]
    const lines: string[] = []
    const stream = { write: (text: string) => void lines.push(text) }
    const log = createLogger({ level: 'trace', secrets: [...keyEncodings(privateKey), password], stream })
    const environmentOfThis = { ...environment, FIRMQUOTE_DATA_DIR: join(folder, 'inside') }
    const configuration = loadConfiguration(exampleConfiguration, join(folder, 'x.yaml'), environmentOfThis)
    const { promise: ready, resolve: isReady } = createDeferred()
    const daemon = await startDaemon(configuration, {
      privateKey,
      pricer: priceRfq,
      dryRun: false,
      environment: {},
      log,
      version: '0.0.0',
      serve: async ({ control }) => ({ control, close: async () => {} }),
      onReady: () => isReady(),
      onShutdown: () => {},
      onRefused: (error) => void lines.push(inspect(error, whole)),
    })
    await ready
    expect(await auction()).toBe(1)
    const status = await daemon.control.status()
    const quotes = await daemon.control.listQuotes()
    const failure = await daemon.control.signQuote({} as never).catch((error: unknown) => error)
    seen.push(['the objects', inspect([daemon, configuration, status, quotes, failure, log], whole)])
    await daemon.stop()
    seen.push(['the log', lines.join('\n')])
    await expectNothing(privateKey)
  }, 60_000)
})

describe('findSecret', () => {
  const privateKey = exampleKey()
  const key = hexToBytes(privateKey)

  test.each<[string, Buffer | string]>([
    ['hex', privateKey],
    ['upper case', privateKey.slice(2).toUpperCase()],
    ['half of it', privateKey.slice(34)],
    ['a bigint', inspect({ deep: BigInt(privateKey) })],
    ['base64', Buffer.from(key).toString('base64')],
    ['base64url', Buffer.from(key).toString('base64url')],
    ['a list of bytes', inspect({ key })],
    ['a buffer', inspect(Buffer.from(key))],
    ['JSON of bytes', JSON.stringify([...key])],
    ['raw bytes', Buffer.concat([Buffer.from('db'), Buffer.from(key)])],
    ['a password', `"${password}"`],
    ['a password in JSON', JSON.stringify({ password })],
    ['a password in base64', Buffer.from(password).toString('base64')],
    ['a password in hex', bytesToHex(Buffer.from(password))],
  ])('default: finds %s', (_what, content) => {
    expect(findSecret(content, { privateKey, password })).not.toBeNull()
  })

  test('behavior: finds no secret in other data', () => {
    expect(findSecret(`0x${'12'.repeat(32)} and words`, { privateKey, password })).toBeNull()
  })
})

/** A key that no account uses. */
function exampleKey(): Hex {
  return `0x${'9e37f1a4'.repeat(7)}00ff10b2`
}

/**
 * Searches for a private key and a password in every encoding: text, hex in any case and with spaces, decimal, base64,
 * byte lists and raw bytes. Finding half of the key counts as a match.
 *
 * @returns the encoding found, or null.
 */
function findSecret(content: Buffer | string, { privateKey, password }: { privateKey: Hex; password: string }) {
  const bytes = Buffer.from(content)
  const text = bytes.toString('latin1')
  const squeezed = text.toLowerCase().replaceAll(/\s+/g, '')
  const key = Buffer.from(hexToBytes(privateKey))
  const halves = [key.subarray(0, 16), key.subarray(16)]
  const secret = Buffer.from(password)
  const has: Record<string, boolean> = {
    'the key in hex': halves.some((half) => squeezed.includes(half.toString('hex'))),
    'the key in decimal': squeezed.includes(BigInt(privateKey).toString()),
    'the key in base64': inBase64(text, key),
    'the key as a list of bytes': halves.some((half) => squeezed.includes([...half].join(','))),
    'the key in raw bytes': halves.some((half) => bytes.includes(half)),
    'the password': bytes.includes(secret) || text.includes(JSON.stringify(password).slice(1, -1)),
    'the password in hex': squeezed.includes(secret.toString('hex')),
    'the password in base64': inBase64(text, secret),
    'the password as a list of bytes': squeezed.includes([...secret].join(',')),
  }
  return Object.keys(has).find((name) => has[name]) ?? null
}

function inBase64(text: string, secret: Buffer): boolean {
  const encodings = ['base64', 'base64url'] as const
  return encodings.some((encoding) => text.includes(secret.toString(encoding).replaceAll('=', '')))
}
