import { QUOTE_MARKET_ADDRESS } from '@firmquote/addresses'
import { formatKey, keyTypes, parseKey } from '@firmquote/verify'
import { describe, expect, test } from '@jest/globals'
import { ConfigurationError } from '../ports/errors.ts'
import { loadConfiguration } from './configuration.ts'
import { settings } from './settings.ts'

const RPC_URL = 'https://node.example.com/v2/secret-key'

function mistakesIn(environment: Record<string, string>): string {
  try {
    loadConfiguration({ RPC_URL, ...environment })
  } catch (error) {
    if (error instanceof ConfigurationError) return error.shortMessage
    throw error
  }
  return ''
}

const witnessKey = 'maker.example.com/w1+2cacd736+BIE5dw6ofRdfVqNUZsNMfszLjYqRtO43ol32D1uPybOU'
const logKey = formatKey({ ...parseKey(witnessKey), type: keyTypes.log })

describe('loadConfiguration', () => {
  test('default', () => {
    expect(loadConfiguration({ RPC_URL })).toMatchObject({
      RPC_URL: [RPC_URL],
      PORT: 3005,
      HOST: '127.0.0.1',
      DATA_DIR: './firmquote-data',
      DATABASE_URL: null,
      NATS_URL: null,
      ADMIN_SOCKET: null,
      DATABASE_ASYNC_REPLICAS: false,
      PUBLIC_WS_URL: null,
      CHAIN_ID: 8453,
      QUOTE_MARKET: QUOTE_MARKET_ADDRESS,
      AUCTION_DURATION_MS: 15_000,
      BACKER_ALLOW_LIST: null,
      RFQS_PER_MINUTE: 12,
      OPEN_RFQS: 4,
      STORED_QUOTES_PER_MAKER: 100,
      SOCKETS_PER_BACKER: 3,
      RETENTION_DAYS: 30,
      RETENTION_QUOTES: 100_000,
      HEAD_DEGRADED_SECONDS: 15,
      HEAD_STALE_SECONDS: 30,
      DUST_LIMITS: null,
      TRUST_PROXY: false,
      DEVNET_RELAY: false,
      DEMO_ACCOUNT: null,
      DEMO_SMART_ACCOUNT: null,
      WALLETCONNECT_PROJECT_ID: null,
      EXPLORER_URL: null,
      LOG_LEVEL: 'info',
    })
  })

  test('behavior: every setting is read from its own variable', () => {
    const lower = QUOTE_MARKET_ADDRESS.toLowerCase()
    const environment = {
      RPC_URL: 'http://127.0.0.1:8545',
      PORT: '0',
      HOST: '0.0.0.0',
      DATA_DIR: '/var/lib/firmquote',
      DATABASE_URL: 'postgres://firmquote:pass%2Fword@db-1:5432,db-2:5432/firmquote?sslmode=verify-full',
      NATS_URL: 'nats://token@nats-1:4222,nats-2:4222',
      PROOFS: 'off',
      PROOF_KEY_FILE: '/etc/firmquote/proof.key',
      WITNESSES: `${witnessKey}@https://witness.example.com/w1/`,
      ADMIN_SOCKET: '/run/firmquote/admin.sock',
      DATABASE_ASYNC_REPLICAS: 'true',
      PUBLIC_WS_URL: 'wss://rfq.example.com/ws/rfq',
      CHAIN_ID: '1',
      QUOTE_MARKET: lower,
      INTEREST_RATE_POOL: lower,
      BUNDLER3: lower,
      KEEPER_BUNDLER: lower,
      LOG_WINDOW: '500',
      SYNC_INTERVAL_MS: '250',
      HEAD_DEGRADED_SECONDS: '60',
      HEAD_STALE_SECONDS: '600',
      DEPLOY_BLOCK: '7',
      AUCTION_DURATION_MS: '500',
      BACKER_ALLOW_LIST: `${QUOTE_MARKET_ADDRESS}, ${lower}`,
      RFQS_PER_MINUTE: '1',
      OPEN_RFQS: '3',
      OPEN_AUCTIONS: '4',
      DEBT_AGE_BLOCKS: '2',
      API_KEYS: `${'aB'.repeat(32)}:600:100`,
      RUNNING_JUDGEMENTS: '5',
      SIGNATURE_THREADS: '7',
      STORED_QUOTES_PER_MAKER: '6',
      SOCKETS_PER_BACKER: '8',
      MAX_SOCKETS: '9',
      MAX_CONNECTIONS: '14',
      CONNECTIONS_PER_NETWORK: '15',
      PENDING_SOCKETS: '16',
      PENDING_SOCKETS_PER_NETWORK: '17',
      PROVEN_MAKERS: lower,
      READS_PER_MINUTE: '18',
      RETENTION_DAYS: '3',
      RETENTION_QUOTES: '12',
      DUST_LIMITS: `${QUOTE_MARKET_ADDRESS}=17`,
      TRUST_PROXY: '2',
      DEVNET_RELAY: 'true',
      DEMO_ACCOUNT: lower,
      DEMO_SMART_ACCOUNT: lower,
      WALLETCONNECT_PROJECT_ID: 'ab'.repeat(16),
      EXPLORER_URL: 'https://explorer.example/base',
      SHUTDOWN_TIMEOUT_MS: '1000',
      LOG_LEVEL: 'silent',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example.com',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20abc',
      OTEL_SERVICE_NAME: 'rfq-1',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    }
    const configuration = loadConfiguration(environment)
    expect(Object.keys(environment).sort()).toEqual(Object.keys(settings).sort())
    const asText = (value: unknown) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value)
    for (const [name, value] of Object.entries(configuration)) {
      if (name === 'BACKER_ALLOW_LIST' || name === 'PROVEN_MAKERS') expect(value).toEqual(new Set([lower]))
      else if (name === 'DUST_LIMITS') expect(value).toEqual(new Map([[lower, 17n]]))
      else if (name === 'OTEL_EXPORTER_OTLP_ENDPOINT') expect(value).toBe('https://traces.example.com/v1/traces')
      else if (name === 'OTEL_EXPORTER_OTLP_HEADERS') expect(value).toEqual({ authorization: 'Basic abc' })
      else if (name === 'API_KEYS') {
        const id = 'ab'.repeat(32)
        expect(value).toEqual(new Map([[id, { id, limits: { rfqsPerMinute: 600, openRfqs: 100 } }]]))
      } else if (/QUOTE_MARKET|POOL|BUNDLER|DEMO/.test(name)) expect(value).toBe(QUOTE_MARKET_ADDRESS)
      else if (name === 'RPC_URL') expect(value).toEqual([environment.RPC_URL])
      else if (name === 'WITNESSES')
        expect(value).toEqual([{ key: parseKey(witnessKey), url: 'https://witness.example.com/w1' }])
      else expect(asText(value)).toBe(environment[name as keyof typeof environment])
    }
  })

  test('behavior: an empty variable counts as unset, and other variables are ignored', () => {
    expect(loadConfiguration({ RPC_URL, PORT: '', HOST: '  ', PATH: '/bin' })).toMatchObject({
      PORT: 3005,
      HOST: '127.0.0.1',
    })
  })

  test.each([
    'key',
    `${'ab'.repeat(32)}`,
    `${'ab'.repeat(32)}:0:1`,
    `${'ab'.repeat(32)}:1:10001`,
    `${'ab'.repeat(31)}:1:1`,
  ])('error: API_KEYS %p is refused, and not shown', (given) => {
    const text = mistakesIn({ RPC_URL, API_KEYS: given })
    expect(text).toContain('API_KEYS is invalid (its value is not shown)')
    expect(text).not.toContain(`"${given}`)
  })

  test('error: headers for the collector are refused, and not shown', () => {
    const text = mistakesIn({ RPC_URL, OTEL_EXPORTER_OTLP_HEADERS: 'authorization: Basic abc' })
    expect(text).toContain('OTEL_EXPORTER_OTLP_HEADERS is invalid (its value is not shown)')
    expect(text).not.toContain('Basic')
  })

  test.each([
    ['no URL', witnessKey],
    ['no key', 'https://witness.example.com'],
    ['a key of a log', `${logKey}@https://witness.example.com`],
    ['a key with a wrong id', `${witnessKey.replace('2cacd736', '2cacd737')}@https://witness.example.com`],
    ['another protocol', `${witnessKey}@ftp://witness.example.com`],
    ['a name twice', `${witnessKey}@https://a.example.com,${witnessKey}@https://b.example.com`],
  ])('error: WITNESSES with %s', (_what, given) => {
    expect(mistakesIn({ RPC_URL, WITNESSES: given })).toContain('at most 10 witnesses with unique names')
  })

  test('error: an integrator with two entries', () => {
    const entry = `${'ab'.repeat(32)}:1:1`
    expect(mistakesIn({ RPC_URL, API_KEYS: `${entry}, ${entry.toUpperCase()}` })).toContain('unique hashes')
    expect(loadConfiguration({ RPC_URL, API_KEYS: `${entry},${'cd'.repeat(32)}:10000:10000` }).API_KEYS?.size).toBe(2)
  })

  test('error: reports all errors, each with the actual and the expected value', () => {
    const text = mistakesIn({
      RPC_URL: '',
      PORT: '70000',
      QUOTE_MARKET: '0x1234',
      AUCTION_DURATION_MS: '15s',
      LOG_LEVEL: 'loud',
      DUST_LIMITS: `${QUOTE_MARKET_ADDRESS}=0`,
    })
    expect(text.split('\n')).toEqual([
      'The configuration has 6 errors:',
      '  RPC_URL is missing; it must be an http:// or https:// URL of a JSON-RPC node, or several different ones separated by commas or spaces.',
      '  PORT is "70000"; it must be a whole number from 0 to 65535.',
      '  LOG_LEVEL is "loud"; it must be one of trace, debug, info, warn, error, fatal, silent.',
      '  QUOTE_MARKET is "0x1234"; it must be an address: 20 bytes of hex, all lower-case or with a valid EIP-55 checksum.',
      '  AUCTION_DURATION_MS is "15s"; it must be a whole number from 100 to 600000.',
      `  DUST_LIMITS is "${QUOTE_MARKET_ADDRESS}=0"; it must be loan tokens with amounts above zero in raw units, like 0xcA11bde05977b3631167028862bE2a173976CA11=1000000.`,
    ])
  })

  test('behavior: several nodes, separated by commas or spaces', () => {
    const [a, b, c] = ['http://a/1', 'https://b/2', 'http://a/3']
    expect(loadConfiguration({ RPC_URL: ` ${a},${b}  ${c}, ` }).RPC_URL).toEqual([a, b, c])
    for (const wrong of [`${a},ftp://b`, `${a} ${b} ${a}`, ',', `${a}b c`]) {
      expect(mistakesIn({ RPC_URL: wrong })).toMatch(/RPC_URL is invalid/)
    }
  })

  test('error: values that may contain a key are not shown', () => {
    const text = mistakesIn({ RPC_URL: 'ftp://user:secret-key@node.example.com' })
    expect(text).toMatch(/RPC_URL is invalid \(its value is not shown\)/)
    expect(text).not.toContain('secret-key')
  })

  test.each([
    ['DATABASE_URL', 'mysql://user:secret-key@host/db'],
    ['DATABASE_URL', 'user:secret-key@host'],
    ['DATABASE_URL', 'postgres://user:secret-key@host:port/db'],
    ['DATABASE_URL', 'postgres://user:secret-key@host,,other/db'],
    ['NATS_URL', 'http://secret-key@host'],
    ['NATS_URL', 'nats://secret-key@'],
  ])('error: %s = %s, which holds a password, is not shown', (name, value) => {
    const text = mistakesIn({ DATABASE_URL: 'postgres://host/db', [name]: value })
    expect(text).toContain(`${name} is invalid (its value is not shown)`)
    expect(text).not.toContain('secret-key')
  })

  test('error: NATS without a shared database', () => {
    expect(mistakesIn({ NATS_URL: 'nats://secret-key@host' })).toBe(
      'The configuration has an error:\n  NATS_URL is invalid (its value is not shown); it must be unset, or DATABASE_URL must be set.',
    )
    // An invalid DATABASE_URL must not add a second error about NATS_URL.
    expect(mistakesIn({ DATABASE_URL: 'mysql://host', NATS_URL: 'nats://host' })).toContain('has an error:')
  })

  test.each([
    ['PORT', '-1'],
    ['PORT', '1e3'],
    ['PORT', '0x10'],
    ['CHAIN_ID', '0'],
    ['PUBLIC_WS_URL', 'https://rfq.example.com/ws/rfq'],
    ['PUBLIC_WS_URL', 'wss://rfq.example.com/other'],
    ['BACKER_ALLOW_LIST', `${QUOTE_MARKET_ADDRESS},nobody`],
    ['BACKER_ALLOW_LIST', ','],
    ['TRUST_PROXY', 'everyone'],
    ['DEVNET_RELAY', '1'],
    ['DEVNET_RELAY', 'constructor'],
    // These values are invalid because DEVNET_RELAY is not set.
    ['DEMO_ACCOUNT', QUOTE_MARKET_ADDRESS],
    ['DEMO_SMART_ACCOUNT', QUOTE_MARKET_ADDRESS],
    ['WALLETCONNECT_PROJECT_ID', 'ab'.repeat(15)],
    ['WALLETCONNECT_PROJECT_ID', `${'ab'.repeat(15)}"x`],
    ['EXPLORER_URL', 'http://explorer.example'],
    ['EXPLORER_URL', 'javascript:alert(1)'],
    ['EXPLORER_URL', 'https://name:password@explorer.example'],
    ['EXPLORER_URL', 'https://explorer.example/?q='],
    ['EXPLORER_URL', 'https://explorer.example/#'],
    // Its checksum is wrong.
    ['BUNDLER3', QUOTE_MARKET_ADDRESS.replace('f', 'F')],
  ])('error: %s = %s', (name, value) => {
    expect(mistakesIn({ [name]: value })).toContain(`${name} is ${JSON.stringify(value)}; it must be `)
  })
})
