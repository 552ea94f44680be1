import {
  BUNDLER3_ADDRESS,
  INTEREST_RATE_POOL_ADDRESS,
  INTEREST_RATE_POOL_DEPLOY_BLOCK,
  KEEPER_BUNDLER_ADDRESS,
  PRODUCTION_DEPLOYMENT,
  QUOTE_MARKET_ADDRESS,
} from '@firmquote/addresses'
import { formatChallenge, parseChallenge } from '@firmquote/core'
import { defaultSampler, secretTracingVariables, tracingVariables } from '@firmquote/program/tracingSettings'
import { type Address, getAddress, isAddress, zeroHash } from 'viem'
import { z } from 'zod'
import type { Integrator } from '../app/service.ts'

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const anAddress = 'an address: 20 bytes of hex, all lower-case or with a right EIP-55 checksum'
const million = 1_000_000
const yearSeconds = 31_536_000

/** Every setting of the server, by the name of its environment variable. */
export const settings = {
  RPC_URL: basic(
    setting('JSON-RPC address of a node of the chain; required, never logged', {
      expected: 'an http:// or https:// address of a JSON-RPC node',
      parse: (text) => (hasProtocol(text, ['http:', 'https:']) ? text : undefined),
    }),
  ),
  CHAIN_ID: basic(wholeNumber('id of the chain', 1, Number.MAX_SAFE_INTEGER, PRODUCTION_DEPLOYMENT.chainId)),
  PORT: basic(wholeNumber('port to listen on; 0 takes any free one', 0, 65_535, 3005)),
  HOST: basic(text('address to listen on; 0.0.0.0 opens the server to other machines', '127.0.0.1')),
  PUBLIC_WS_URL: basic(
    setting('public address of the backer socket, which backers sign; default `ws://localhost:<PORT>/ws/rfq`', {
      expected: 'an address like wss://rfq.example.com/ws/rfq',
      parse: (audience) => (parseChallenge(formatChallenge({ audience, nonce: zeroHash })) ? audience : undefined),
      fallback: null,
    }),
  ),
  TRUST_PROXY: basic(
    setting('which proxies may name client addresses: `false`, `true`, how many proxies, or their addresses', {
      expected: 'false, true, a number of proxies, or their addresses separated by commas',
      parse: parseTrustProxy,
      fallback: false,
    }),
  ),
  DATA_DIR: basic(text('directory of the database; not used with `DATABASE_URL`', './firmquote-data')),
  DATABASE_URL: basic(
    setting('PostgreSQL that several instances share, instead of a database of its own in `DATA_DIR`; never logged', {
      expected: 'an address like postgres://user:password@host:5432/database',
      parse: (given) => (namesHosts(given, ['postgres:', 'postgresql:']) ? given : undefined),
      fallback: null,
    }),
  ),
  NATS_URL: basic(
    setting(
      'NATS that tells the other instances at once what they would see within a second; with `DATABASE_URL` only; never logged',
      {
        expected: 'an address like nats://token@host:4222',
        parse: (given) => (namesHosts(given, ['nats:', 'tls:']) ? given : undefined),
        fallback: null,
      },
    ),
  ),
  BACKER_ALLOW_LIST: basic(
    setting('addresses of the backers that may connect, separated by commas; default everyone', {
      expected: 'addresses separated by commas, each all lower-case or with a right EIP-55 checksum',
      parse: parseAddresses,
      fallback: null,
    }),
  ),
  LOG_LEVEL: basic(
    setting(`what is logged: ${logLevels.map((level) => `\`${level}\``).join(', ')}`, {
      expected: `one of ${logLevels.join(', ')}`,
      parse: (given) => logLevels.find((level) => level === given),
      fallback: 'info',
    }),
  ),
  DATABASE_ASYNC_REPLICAS: setting(
    '`true` takes a PostgreSQL whose standbys may lack what was acknowledged: a failover to one loses it',
    { expected: 'true or false', parse: parseSwitch, fallback: false },
  ),
  QUOTE_MARKET: address('quote market contract', QUOTE_MARKET_ADDRESS),
  INTEREST_RATE_POOL: address('interest-rate pool contract', INTEREST_RATE_POOL_ADDRESS),
  BUNDLER3: address('Bundler3 contract', BUNDLER3_ADDRESS),
  KEEPER_BUNDLER: address('keeper bundler contract', KEEPER_BUNDLER_ADDRESS),
  DEPLOY_BLOCK: wholeNumber(
    "block of the pool's deployment, where reading its events begins",
    0,
    Number.MAX_SAFE_INTEGER,
    INTEREST_RATE_POOL_DEPLOY_BLOCK,
  ),
  LOG_WINDOW: wholeNumber('blocks whose events are asked for at once, at most', 1, million, 10_000),
  SYNC_INTERVAL_MS: wholeNumber('between two reads of new blocks, in milliseconds', 10, 600_000, 1_000),
  HEAD_DEGRADED_SECONDS: wholeNumber(
    'age of the newest block from which on the service is degraded, in seconds',
    1,
    yearSeconds,
    15,
  ),
  HEAD_STALE_SECONDS: wholeNumber('age from which on quotes and RFQs are refused, in seconds', 1, yearSeconds, 30),
  AUCTION_DURATION_MS: wholeNumber('how long an auction is open, in milliseconds', 100, 600_000, 15_000),
  RFQS_PER_MINUTE: wholeNumber('RFQs of one client address, or of one verified taker, in a minute', 1, million, 12),
  OPEN_RFQS: wholeNumber(
    'RFQs of one client address, or of one verified taker, that may be open at once',
    1,
    million,
    4,
  ),
  OPEN_AUCTIONS: wholeNumber(
    'RFQs of all clients that may be open at once; half are kept for verified takers',
    1,
    million,
    200,
  ),
  API_KEYS: setting(
    'keys of integrators, with quotas of their own: `<SHA-256 of the key>:<RFQs in a minute>:<open RFQs>`, separated by commas; default none',
    {
      expected:
        'entries like <64 hex digits>:600:100, separated by commas, each hash once, the numbers from 1 to 10000',
      parse: parseApiKeys,
      fallback: null,
    },
  ),
  RUNNING_JUDGEMENTS: wholeNumber(
    'quotes that may be checked on the chain at once: of auctions, and as many published ones',
    1,
    million,
    2_000,
  ),
  SIGNATURE_THREADS: setting('threads that recover who signed a quote; default one for every core but one', {
    expected: 'a whole number from 1 to 64',
    parse: (given) => (/^(?:[1-9]|[1-5]\d|6[0-4])$/.test(given) ? Number(given) : undefined),
    fallback: null,
  }),
  STORED_QUOTES_PER_MAKER: wholeNumber('active published quotes of one maker', 1, million, 100),
  SOCKETS_PER_BACKER: wholeNumber('connections of one backer', 1, million, 3),
  MAX_SOCKETS: wholeNumber('connections of all backers together', 1, million, 1_000),
  PENDING_SOCKETS: wholeNumber('connections that have not authenticated yet', 1, million, 64),
  PENDING_SOCKETS_PER_NETWORK: wholeNumber('of these, connections of one network', 1, million, 8),
  PROVEN_MAKERS: setting(
    'makers that are contracts and count like any other before a quote of theirs was filled, separated by commas; default none',
    {
      expected: 'addresses separated by commas, each all lower-case or with a right EIP-55 checksum',
      parse: parseAddresses,
      fallback: null,
    },
  ),
  MAX_CONNECTIONS: wholeNumber('TCP connections of all clients together, backers among them', 1, million, 10_000),
  CONNECTIONS_PER_NETWORK: wholeNumber(
    'TCP connections from one client address; those of a trusted proxy are not counted',
    1,
    million,
    128,
  ),
  RETENTION_DAYS: wholeNumber('how many days auctions and ended quotes are kept', 1, 36_500, 30),
  RETENTION_QUOTES: wholeNumber('how many quotes of auctions are kept, the newest', 1, 100 * million, 100_000),
  DUST_LIMITS: setting(
    'least notionals of loan tokens where they are lower, as `token=amount` in raw units, separated by commas; default none',
    {
      expected:
        'loan tokens with amounts above zero in raw units, like 0xcA11bde05977b3631167028862bE2a173976CA11=1000000',
      parse: parseAmounts,
      fallback: null,
    },
  ),
  DEVNET_RELAY: setting('`true` lets the page of this server use the node, which must be a devnet', {
    expected: 'true or false',
    parse: parseSwitch,
    fallback: false,
  }),
  DEMO_ACCOUNT: setting('account of the devnet that the page may use without a wallet; with `DEVNET_RELAY` only', {
    expected: anAddress,
    parse: parseAddress,
    fallback: null,
  }),
  DEMO_SMART_ACCOUNT: setting('another one, which sends several calls as one (EIP-5792); with `DEVNET_RELAY` only', {
    expected: anAddress,
    parse: parseAddress,
    fallback: null,
  }),
  WALLETCONNECT_PROJECT_ID: setting(
    'project id of WalletConnect; with it the page offers WalletConnect and Coinbase Wallet, and may reach their servers',
    {
      expected: 'the 32 hex digits of a project',
      parse: (given) => (/^[0-9a-f]{32}$/.test(given) ? given : undefined),
      fallback: null,
    },
  ),
  EXPLORER_URL: setting(
    'block explorer that the page links addresses and transactions to; default that of the chain, none on a devnet',
    {
      expected: 'an https:// address like https://basescan.org, without a query',
      parse: parseExplorer,
      fallback: null,
    },
  ),
  SHUTDOWN_TIMEOUT_MS: wholeNumber(
    'how long a graceful stop may take, in milliseconds: open auctions run to their end',
    100,
    600_000,
    20_000,
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(tracingVariables.OTEL_EXPORTER_OTLP_ENDPOINT, null),
  OTEL_EXPORTER_OTLP_HEADERS: variable(tracingVariables.OTEL_EXPORTER_OTLP_HEADERS, null),
  OTEL_SERVICE_NAME: variable(tracingVariables.OTEL_SERVICE_NAME, 'firmquote-server'),
  OTEL_TRACES_SAMPLER: variable(tracingVariables.OTEL_TRACES_SAMPLER, defaultSampler),
  OTEL_TRACES_SAMPLER_ARG: variable(tracingVariables.OTEL_TRACES_SAMPLER_ARG, 1),
} as const

/** The name of a setting. */
export type SettingName = keyof typeof settings
/** A setting's value. */
export type SettingValue<Name extends SettingName> = z.output<(typeof settings)[Name]['shape']>

/** Settings whose values are never shown: they may hold a key. */
export const secretSettings: ReadonlySet<string> = new Set<SettingName>([
  'RPC_URL',
  'API_KEYS',
  'DATABASE_URL',
  'NATS_URL',
  ...secretTracingVariables,
])

type Parsing<T> = {
  /** What a valid value looks like; ends the sentence "it must be …". */
  expected: string
  /** The value, or undefined when the text is not valid. */
  parse: (text: string) => T | undefined
  /** The value when nothing is given; without one the setting is required. */
  fallback?: T
}

function setting<T>(about: string, { expected, parse, fallback }: Parsing<T>) {
  const shape = z
    .string()
    .optional()
    .transform((given, context): T => {
      const value = given === undefined ? fallback : parse(given)
      if (value !== undefined) return value
      context.addIssue({ code: 'custom', message: expected })
      return z.NEVER
    })
  return { about, fallback, shape, isBasic: false }
}

/** Marks a setting that most operators look at before they run the server; the others are advanced. */
function basic<T extends { isBasic: boolean }>(entry: T): T {
  return { ...entry, isBasic: true }
}

/** A setting that is the same in other programs. */
function variable<T, F extends T | null>(
  { about, expected, parse }: { about: string; expected: string; parse: (text: string) => T | undefined },
  fallback: F,
) {
  return setting<T | F>(about, { expected, parse, fallback })
}

function text(about: string, fallback: string) {
  return setting(about, { expected: 'some text', parse: (given) => given, fallback })
}

function wholeNumber(about: string, least: number, most: number, fallback: number) {
  const expected =
    most === Number.MAX_SAFE_INTEGER ? `a whole number from ${least} on` : `a whole number from ${least} to ${most}`
  const parse = (given: string) => {
    const value = /^\d{1,16}$/.test(given) ? Number(given) : Number.NaN
    return value >= least && value <= most ? value : undefined
  }
  return setting(about, { expected, parse, fallback })
}

function address(about: string, fallback: Address) {
  return setting(about, { expected: anAddress, parse: parseAddress, fallback })
}

function parseAddress(given: string): Address | undefined {
  return isAddress(given) ? getAddress(given) : undefined
}

function parseAddresses(given: string): ReadonlySet<string> | undefined {
  const found = given.split(',').map((part) => parseAddress(part.trim()))
  const known = found.filter((item) => item !== undefined)
  return known.length === found.length ? new Set(known.map((item) => item.toLowerCase())) : undefined
}

function parseAmounts(given: string): ReadonlyMap<string, bigint> | undefined {
  const amounts = new Map<string, bigint>()
  for (const part of given.split(',')) {
    const [token = '', amount = '', ...rest] = part.split('=').map((text) => text.trim())
    const address = parseAddress(token)?.toLowerCase()
    if (!address || amounts.has(address) || rest.length > 0 || !/^[1-9]\d{0,38}$/.test(amount)) return undefined
    amounts.set(address, BigInt(amount))
  }
  return amounts
}

function parseApiKeys(given: string): ReadonlyMap<string, Integrator> | undefined {
  const integrators = new Map<string, Integrator>()
  for (const part of given.split(',')) {
    const [, hash, perMinute, open] = /^([0-9a-f]{64}):(\d{1,5}):(\d{1,5})$/i.exec(part.trim()) ?? []
    const limits = { rfqsPerMinute: Number(perMinute), openRfqs: Number(open) }
    const fits = Object.values(limits).every((limit) => limit >= 1 && limit <= 10_000)
    const id = hash?.toLowerCase()
    if (!fits || id === undefined || integrators.has(id)) return undefined
    integrators.set(id, { id, limits })
  }
  return integrators
}

/** The address without a slash at its end; `/address/…` and `/tx/…` follow it. */
function parseExplorer(given: string): string | undefined {
  if (!hasProtocol(given, ['https:'])) return undefined
  const { origin, pathname, username, password, search, hash } = new URL(given)
  const isBare = [username, password, search, hash].every((part) => part === '') && !/[?#"<>]/.test(given)
  return isBare ? `${origin}${pathname.replace(/\/+$/, '')}` : undefined
}

function parseSwitch(given: string): boolean | undefined {
  return given === 'true' || given === 'false' ? given === 'true' : undefined
}

function parseTrustProxy(given: string): boolean | number | string | undefined {
  const isOn = parseSwitch(given)
  if (isOn !== undefined) return isOn
  if (/^\d{1,2}$/.test(given)) return Number(given)
  const names = ['loopback', 'linklocal', 'uniquelocal']
  const parts = given.split(',').map((part) => part.trim())
  return parts.every((part) => names.includes(part) || /^[0-9a-fA-F.:]+(?:\/\d{1,3})?$/.test(part)) ? given : undefined
}

function hasProtocol(given: string, protocols: readonly string[]): boolean {
  return URL.canParse(given) && protocols.includes(new URL(given).protocol)
}

/** Whether it is an address of one of these protocols, of one host or of several with commas between them. */
function namesHosts(given: string, protocols: readonly string[]): boolean {
  const [, before, hosts = '', after] = /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#@]+)(.*)$/.exec(given) ?? []
  return hosts.split(',').every((host) => host !== '' && hasProtocol(`${before}${host}${after}`, protocols))
}
