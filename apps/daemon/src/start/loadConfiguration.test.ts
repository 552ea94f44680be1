import { resolve } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { ConfigurationError } from '../errors.ts'
import { exampleConfiguration } from './exampleConfiguration.ts'
import { loadConfiguration } from './loadConfiguration.ts'

const file = '/etc/firmquote/daemon.yaml'
const read = (content: string, environment: Record<string, string> = {}) =>
  loadConfiguration(content, file, environment)

function messageOf(content: string, environment: Record<string, string> = {}): string {
  try {
    read(content, environment)
    return ''
  } catch (error) {
    return (error as ConfigurationError).shortMessage
  }
}

describe('loadConfiguration', () => {
  test('default: what init writes', () => {
    const configuration = read(exampleConfiguration)
    expect(configuration).toMatchObject({
      service: { url: 'http://localhost:3005' },
      chain: { chainId: 8453, maxBlockAgeSeconds: 30 },
      key: { keystore: '/etc/firmquote/keystore.json' },
      dataDir: '/etc/firmquote/data',
      socket: '/tmp/service.sock',
      policy: { pools: null, lifetimeSeconds: 150, tick: 10n ** 14n },
    })
  })

  test('behavior: environment variables override the file, unless they are empty', () => {
    const environment = {
      FIRMQUOTE_SERVICE_URL: 'https://rfq.example.com',
      FIRMQUOTE_CHAIN_ID: '31337',
      FIRMQUOTE_KEYSTORE: 'other.json',
      FIRMQUOTE_DATA_DIR: '',
      FIRMQUOTE_SOCKET: '/run/firmquote.sock',
    }
    expect(read(exampleConfiguration, environment)).toMatchObject({
      service: { url: 'https://rfq.example.com' },
      chain: { chainId: 31_337 },
      key: { keystore: resolve('other.json') },
      dataDir: '/etc/firmquote/data',
      socket: '/run/firmquote.sock',
    })
    const without = exampleConfiguration.replace(/\nkey:\n(?: .*\n)+/, '\n')
    expect(read(without).key).toBeUndefined()
    expect(read(without, environment).key).toEqual({ keystore: resolve('other.json') })
  })

  test('behavior: the folder of proofs is relative to the file, and a witness is a key', () => {
    const witness = 'witness.example.com/w1+745fb5e8+BIE5dw6ofRdfVqNUZsNMfszLjYqRtO43ol32D1uPybOU'
    const content = exampleConfiguration.replace(
      /^proofs: .*$/m,
      `proofs: { folder: ./kept, witnesses: ['${witness}'] }`,
    )
    const proofs = { enabled: true, folder: '/etc/firmquote/kept', maxMegabytes: 256, witnesses: [witness] }
    expect(read(content)).toMatchObject({ proofs })
    expect(read(exampleConfiguration, { FIRMQUOTE_PROOFS: 'false' }).proofs.enabled).toBe(false)
    expect(messageOf(content.replace('745f', '745e'))).toMatch("proofs.witnesses.0 must be a witness's key")
  })

  test('behavior: a hook is a module or a program, whose path with a slash is relative to the file', () => {
    const hookOf = (hook: string) => read(`${exampleConfiguration}\nhooks:\n  onFilled: ${hook}\n`).hooks?.onFilled
    expect(read(exampleConfiguration).hooks).toBeUndefined()
    expect(hookOf('{ command: [./hedge, ./as-it-is] }')).toEqual({
      command: ['/etc/firmquote/hedge', './as-it-is'],
      when: 'filled',
      timeoutSeconds: 30,
    })
    expect(hookOf('{ command: [hedge], when: final, timeoutSeconds: 3600 }')).toEqual({
      command: ['hedge'],
      when: 'final',
      timeoutSeconds: 3_600,
    })
    expect(hookOf('{ module: hedge.mjs }')).toMatchObject({ module: '/etc/firmquote/hedge.mjs', when: 'filled' })
  })

  test('behavior: the path of an alert hook is resolved in the same way', () => {
    const { hooks } = read(`${exampleConfiguration}\nhooks:\n  onAlert: { command: [./page] }\n`)
    expect(hooks).toEqual({ onAlert: { command: ['/etc/firmquote/page'], timeoutSeconds: 30 } })
  })

  test('behavior: the keeper is off, and metrics are not served, unless they are set', () => {
    expect(read(exampleConfiguration)).toMatchObject({
      keeper: 'off',
      keeperMaxGas: 10_000_000,
      keeperMaxGasPriceGwei: 5,
      keeperTokensPerCoin: 5_000,
      keeperLatestHours: 72,
      alerts: { lowPercent: 10, transactions: 20 },
    })
    expect(read(exampleConfiguration).metrics).toBeUndefined()
    expect(read(exampleConfiguration, { FIRMQUOTE_KEEPER: 'own', FIRMQUOTE_METRICS_PORT: '9464' })).toMatchObject({
      keeper: 'own',
      metrics: { port: 9464 },
    })
  })

  test('behavior: the daemon is a witness unless this is switched off, with any valid name and a key of the log', () => {
    const logKey = 'rfq.example.com/log/1+c36c0da5+AYqI49dU8VuH2iY5aqYB1rXn2yBGXMCiAWaoHSdexb5c'
    const witnessOf = (given: string, environment = {}) =>
      read(exampleConfiguration.replace(/^witness: .*$/m, given), environment).witness
    expect(witnessOf('')).toEqual({ enabled: true })
    expect(witnessOf('witness: { enabled: false }')).toEqual({ enabled: false })
    expect(witnessOf('', { FIRMQUOTE_WITNESS: 'false', FIRMQUOTE_WITNESS_NAME: 'a.example/w1' })).toEqual({
      enabled: false,
      name: 'a.example/w1',
    })
    for (const name of ['', 'a b', 'a+b', 'x'.repeat(101)]) {
      const content = exampleConfiguration.replace(/^witness: .*$/m, `witness: { name: '${name}' }`)
      expect(messageOf(content)).toMatch('witness.name must be a name of 1 to 100 characters')
    }
    const wrong = exampleConfiguration.replace(/^witness: .*$/m, `witness: { logKey: '${logKey}' }`)
    expect(messageOf(wrong)).toMatch("witness.logKey must be a log's key")
  })

  test('behavior: checkpoints are taken unless this is switched off', () => {
    const settingOf = (content: string, value = '') => read(content, { FIRMQUOTE_CHECKPOINTS: value }).checkpoints
    const without = exampleConfiguration.replace('checkpoints: true\n', '')
    const off = exampleConfiguration.replace('checkpoints: true\n', 'checkpoints: false\n')
    expect([exampleConfiguration, without, off].map((content) => settingOf(content))).toEqual([true, true, false])
    expect([settingOf(exampleConfiguration, 'false'), settingOf(off, 'true')]).toEqual([false, true])
    expect(messageOf(exampleConfiguration, { FIRMQUOTE_CHECKPOINTS: 'off' })).toMatch(
      /FIRMQUOTE_CHECKPOINTS \(in the environment\): must be/,
    )
  })

  test.each([
    ['keeper: yes', /keeper must be one of own, all, off/],
    ['keeperMaxGas: 499999', /keeperMaxGas must be a whole number from 500000/],
    ['keeperMaxGasPriceGwei: 0', /keeperMaxGasPriceGwei must be a number above 0/],
    ['checkpoints: own', /checkpoints must be/],
    ['metrics: { port: 0 }', /metrics\.port must be a whole number from 1 to 65535/],
    ['metrics: { port: 9464, host: 0.0.0.0 }', /host is not a known key/],
    ['alerts: { lowPercent: 101 }', /alerts\.lowPercent must be/],
  ])('error: %s', (line, expected) => {
    const [key = ''] = line.split(':')
    const without = exampleConfiguration.replace(new RegExp(`^${key}:.*$`, 'm'), '')
    expect(messageOf(`${without}\n${line}\n`)).toMatch(expected)
  })

  test.each([
    ['both', '{ command: [hedge], module: ./a.mjs }', /hooks\.onFilled must have either command or module/],
    ['neither', '{ when: final }', /hooks\.onFilled must have either command or module/],
    ['an empty command', '{ command: [] }', /command must be \[program, \.\.\.arguments\]/],
    ['a line for a shell', '{ command: hedge --live }', /command must be a/],
    ['another moment', '{ command: [hedge], when: later }', /when must be one of filled, final/],
    ['no time', '{ command: [hedge], timeoutSeconds: 0 }', /timeoutSeconds must be a whole number from 1 to 3600/],
    ['another key', '{ command: [hedge], shell: true }', /shell is not a known key/],
  ])('error: a hook with %s', (_what, hook, expected) => {
    expect(messageOf(`${exampleConfiguration}\nhooks:\n  onFilled: ${hook}\n`)).toMatch(expected)
  })

  test('error: reports every mistake with its line and path, in order', () => {
    const content = exampleConfiguration
      .replace('url: http://localhost:3005', 'url: localhost')
      .replace('chainId: 8453', 'chainId: base')
      .replace('logLevel: info', 'logLevel: loud\nspeed: 9')
      .replace('{ days: 30, bps: 25 }', '{ days: 30, bps: many }')
      .replace('  tickBps: 1\n', '')
      .replace('maxNotional: 1000000', 'maxNotional: 10')
    const lines = content.split('\n')
    const at = (text: string) => lines.findIndex((line) => line.includes(text)) + 1
    expect(messageOf(content).split('\n')).toEqual([
      `${file} has 7 mistakes:`,
      `  line ${at('url: localhost')}: service.url must be the http or https URL of the service`,
      `  line ${at('chainId: base')}: chain.chainId must be a number`,
      `  line ${at('logLevel')}: logLevel must be one of trace, debug, info, warn, error, fatal, silent`,
      `  line ${at('speed')}: speed is not a known key`,
      expect.stringMatching(`^ {2}line ${at('policy:')}: policy.tickBps must be `),
      `  line ${at('maxNotional')}: policy.maxNotional must not be below minNotional`,
      expect.stringMatching(`^ {2}line ${at('bps: many')}: policy.termSpread.1.bps must be `),
    ])
  })

  test('error: mistakes of the environment name the variable', () => {
    expect(messageOf(exampleConfiguration, { FIRMQUOTE_CHAIN_ID: 'base' })).toBe(
      `${file} has a mistake:\n  FIRMQUOTE_CHAIN_ID (in the environment): must be a number`,
    )
  })

  test.each([
    ['nothing', '', /service/],
    ['a list', '- a', /line 1: the file must be an object/],
    ['no YAML', 'service: {', /line \d/],
    ['a key twice', 'logLevel: info\nlogLevel: info', /line 2: Map keys must be unique/],
    ['a private key', `${exampleConfiguration}\nprivateKey: 1`, /privateKey is not a known key/],
  ])('error: %s', (_what, content, expected) => {
    expect(messageOf(content)).toMatch(expected)
  })

  test("error: does not show a node's address", () => {
    expect(messageOf(exampleConfiguration, { FIRMQUOTE_RPC_URL: 'wss://node/secret' })).not.toContain('secret')
  })
})
