import {
  BUNDLER3_ADDRESS,
  INTEREST_RATE_POOL_ADDRESS,
  INTEREST_RATE_POOL_DEPLOY_BLOCK,
  KEEPER_BUNDLER_ADDRESS,
  PRODUCTION_DEPLOYMENT,
  QUOTE_MARKET_ADDRESS,
} from '@firmquote/addresses'
import { formatChallenge, parseChallenge } from '@firmquote/core/protocol'
import { defaultSampler, secretTracingVariables, tracingVariables } from '@firmquote/node-runtime/tracingSettings'
import { keyTypes, parseKey } from '@firmquote/verify'
import { type Address, getAddress, isAddress, zeroHash } from 'viem'
import { z } from 'zod'
import type { HttpWitness } from '../domain/addCheckpoint.ts'
import type { Integrator } from '../domain/quotas.ts'

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const anAddress = 'an address: 20 bytes of hex, all lower-case or with a valid EIP-55 checksum'
const million = 1_000_000
const yearSeconds = 31_536_000
/** Half of the places for witnesses. Makers' programs have the others. */
const maxHttpWitnesses = 10

/** Separates the URLs in `RPC_URL`. */
export const nodeSeparator = /[\s,]+/

/** The server's settings, by environment variable. */
export const settings = {
  RPC_URL: basic(
    setting(
      'JSON-RPC URLs of chain nodes in order of preference, separated by commas or spaces; required; never logged',
      {
        expected:
          'an http:// or https:// URL of a JSON-RPC node, or several different ones separated by commas or spaces',
        parse: parseNodes,
      },
    ),
  ),
  CHAIN_ID: basic(wholeNumber('chain ID', 1, Number.MAX_SAFE_INTEGER, PRODUCTION_DEPLOYMENT.chainId)),
  PORT: basic(wholeNumber('TCP port to listen on; 0 picks a free port', 0, 65_535, 3005)),
  HOST: basic(text('address to bind; 0.0.0.0 accepts connections from other machines', '127.0.0.1')),
  PUBLIC_WS_URL: basic(
    setting('public URL of the backer WebSocket, which backers sign; default `ws://localhost:<PORT>/ws/rfq`', {
      expected: 'a URL like wss://rfq.example.com/ws/rfq',
      parse: (audience) => (parseChallenge(formatChallenge({ audience, nonce: zeroHash })) ? audience : undefined),
      fallback: null,
    }),
  ),
  TRUST_PROXY: basic(
    setting('trusted reverse proxies: `false`, `true`, a number of hops, or addresses separated by commas', {
      expected: 'false, true, a number of proxies, or their addresses separated by commas',
      parse: parseTrustProxy,
      fallback: false,
    }),
  ),
  DATA_DIR: basic(text('directory of the SQLite database; ignored with `DATABASE_URL`', './firmquote-data')),
  DATABASE_URL: basic(
    setting('URL of a PostgreSQL database that several instances share, used instead of SQLite; never logged', {
      expected: 'a URL like postgres://user:password@host:5432/database',
      parse: (given) => (namesHosts(given, ['postgres:', 'postgresql:']) ? given : undefined),
      fallback: null,
    }),
  ),
  NATS_URL: basic(
    setting(
      'URL of a NATS server that notifies other instances without the polling delay of up to a second; requires `DATABASE_URL`; never logged',
      {
        expected: 'a URL like nats://token@host:4222',
        parse: (given) => (namesHosts(given, ['nats:', 'tls:']) ? given : undefined),
        fallback: null,
      },
    ),
  ),
  BACKER_ALLOW_LIST: basic(
    setting('addresses of the backers that may connect, separated by commas; default: all backers', {
      expected: 'addresses separated by commas, each all lower-case or with a valid EIP-55 checksum',
      parse: parseAddresses,
      fallback: null,
    }),
  ),
  LOG_LEVEL: basic(
    setting(`minimum log level: ${logLevels.map((level) => `\`${level}\``).join(', ')}`, {
      expected: `one of ${logLevels.join(', ')}`,
      parse: (given) => logLevels.find((level) => level === given),
      fallback: 'info',
    }),
  ),
  PROOFS: setting('`on` or `off`: whether auctions are provable; only with SQLite', {
    expected: 'on or off',
    parse: (given) => (['on', 'off'] as const).find((value) => value === given),
    fallback: 'on',
  }),
  PROOF_KEY_FILE: setting(
    'path of the keys of provable auctions, created at the first start; default: `proof.key` in `DATA_DIR`',
    { expected: 'a path', parse: (given) => given, fallback: null },
  ),
  WITNESSES: setting(
    'HTTP witnesses that cosign the log (c2sp.org/tlog-witness), as `<key>@<URL>`, separated by commas; default: none',
    {
      expected:
        'at most 10 witnesses with unique names, each like witness.example.com/w1+<8 hex digits>+<base64>@https://witness.example.com/w1',
      parse: parseHttpWitnesses,
      fallback: null,
    },
  ),
  ADMIN_SOCKET: setting(
    'path of the Unix socket for `firmquote-server admin`; default: `admin.sock` in `DATA_DIR`, or none with `DATABASE_URL`',
    { expected: 'a path of at most 103 bytes', parse: (given) => given, fallback: null },
  ),
  DATABASE_ASYNC_REPLICAS: setting(
    '`true` accepts asynchronous PostgreSQL standbys; a failover to one may lose acknowledged quotes and results',
    { expected: 'true or false', parse: parseSwitch, fallback: false },
  ),
  QUOTE_MARKET: address('address of the quote market contract', QUOTE_MARKET_ADDRESS),
  INTEREST_RATE_POOL: address('address of the interest-rate pool contract', INTEREST_RATE_POOL_ADDRESS),
  BUNDLER3: address('address of the Bundler3 contract', BUNDLER3_ADDRESS),
  KEEPER_BUNDLER: address('address of the keeper bundler contract', KEEPER_BUNDLER_ADDRESS),
  DEPLOY_BLOCK: wholeNumber(
    'block in which the interest-rate pool was deployed; the first sync starts there',
    0,
    Number.MAX_SAFE_INTEGER,
    INTEREST_RATE_POOL_DEPLOY_BLOCK,
  ),
  LOG_WINDOW: wholeNumber('maximum number of blocks in one `eth_getLogs` request', 1, million, 10_000),
  SYNC_INTERVAL_MS: wholeNumber('interval between polls for new blocks, in milliseconds', 10, 600_000, 1_000),
  HEAD_DEGRADED_SECONDS: wholeNumber(
    'maximum age of the newest block, in seconds, before the health becomes `degraded`',
    1,
    yearSeconds,
    15,
  ),
  HEAD_STALE_SECONDS: wholeNumber(
    'maximum age of the newest block, in seconds, before RFQs and quotes are refused',
    1,
    yearSeconds,
    30,
  ),
  AUCTION_DURATION_MS: wholeNumber('duration of an auction, in milliseconds', 100, 600_000, 15_000),
  RFQS_PER_MINUTE: wholeNumber('RFQs per minute for each client address or verified taker', 1, million, 12),
  OPEN_RFQS: wholeNumber('open RFQs for each client address or verified taker', 1, million, 4),
  OPEN_AUCTIONS: wholeNumber('open RFQs across all clients; half are reserved for verified takers', 1, million, 200),
  DEBT_AGE_BLOCKS: wholeNumber(
    'blocks for which a taker must have owed its debt to be verified; 0 counts new debts',
    0,
    112,
    100,
  ),
  API_KEYS: setting(
    "integrators' API keys and quotas, as `<SHA-256 of the key>:<RFQs per minute>:<open RFQs>`, separated by commas; default: none",
    {
      expected: 'comma-separated entries like <64 hex digits>:600:100, with unique hashes and numbers from 1 to 10000',
      parse: parseApiKeys,
      fallback: null,
    },
  ),
  RUNNING_JUDGEMENTS: wholeNumber(
    'maximum number of quotes awaiting a verdict, counted separately for auction quotes and published quotes',
    1,
    million,
    2_000,
  ),
  SIGNATURE_THREADS: setting(
    'worker threads that recover quote signers; default: one less than the number of cores, at least one',
    {
      expected: 'a whole number from 1 to 64',
      parse: (given) => (/^(?:[1-9]|[1-5]\d|6[0-4])$/.test(given) ? Number(given) : undefined),
      fallback: null,
    },
  ),
  STORED_QUOTES_PER_MAKER: wholeNumber('active published quotes for each maker', 1, million, 100),
  SOCKETS_PER_BACKER: wholeNumber('WebSocket connections for each backer', 1, million, 3),
  MAX_SOCKETS: wholeNumber('authenticated WebSocket connections across all backers', 1, million, 1_000),
  PENDING_SOCKETS: wholeNumber('WebSocket connections that have not authenticated yet', 1, million, 64),
  PENDING_SOCKETS_PER_NETWORK: wholeNumber('unauthenticated WebSocket connections for each network', 1, million, 8),
  PROVEN_MAKERS: setting(
    'addresses of contract makers to treat as proven before their first fill, separated by commas; default: none',
    {
      expected: 'addresses separated by commas, each all lower-case or with a valid EIP-55 checksum',
      parse: parseAddresses,
      fallback: null,
    },
  ),
  MAX_CONNECTIONS: wholeNumber('TCP connections across all clients, including backers', 1, million, 10_000),
  CONNECTIONS_PER_NETWORK: wholeNumber(
    'TCP connections for each client address; connections from loopback and trusted proxies do not count',
    1,
    million,
    1_000,
  ),
  READS_PER_MINUTE: wholeNumber(
    'reads per minute for each client address, each counted by its cost of 1 to 8',
    1,
    100 * million,
    6_000,
  ),
  RETENTION_DAYS: wholeNumber('days to keep auctions and ended quotes', 1, 36_500, 30),
  RETENTION_QUOTES: wholeNumber(
    'maximum number of auction quotes to keep; the oldest are pruned first',
    1,
    100 * million,
    100_000,
  ),
  DUST_LIMITS: setting(
    'lower minimum notionals for loan tokens, as `token=amount` in raw units, separated by commas; default: none',
    {
      expected:
        'loan tokens with amounts above zero in raw units, like 0xcA11bde05977b3631167028862bE2a173976CA11=1000000',
      parse: parseAmounts,
      fallback: null,
    },
  ),
  DEVNET_RELAY: setting("`true` relays the web app's JSON-RPC requests to the node, which must be a devnet", {
    expected: 'true or false',
    parse: parseSwitch,
    fallback: false,
  }),
  DEMO_ACCOUNT: setting('devnet account that the web app can use without a wallet; requires `DEVNET_RELAY`', {
    expected: anAddress,
    parse: parseAddress,
    fallback: null,
  }),
  DEMO_SMART_ACCOUNT: setting('devnet account that sends batched calls (EIP-5792); requires `DEVNET_RELAY`', {
    expected: anAddress,
    parse: parseAddress,
    fallback: null,
  }),
  WALLETCONNECT_PROJECT_ID: setting(
    'WalletConnect project ID; enables WalletConnect and Coinbase Wallet in the web app',
    {
      expected: 'a project ID of 32 hex digits',
      parse: (given) => (/^[0-9a-f]{32}$/.test(given) ? given : undefined),
      fallback: null,
    },
  ),
  EXPLORER_URL: setting("block explorer for the web app's links; default: the chain's explorer, or none on a devnet", {
    expected: 'an https:// URL like https://basescan.org, without a query',
    parse: parseExplorer,
    fallback: null,
  }),
  SHUTDOWN_TIMEOUT_MS: wholeNumber(
    'maximum duration of a graceful shutdown, in milliseconds, during which open auctions run to completion',
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

/** The limits that `firmquote-server admin limits set` can change while the server runs. */
export const liveSettings = [
  'RFQS_PER_MINUTE',
  'OPEN_RFQS',
  'OPEN_AUCTIONS',
  'RUNNING_JUDGEMENTS',
  'STORED_QUOTES_PER_MAKER',
] as const satisfies readonly SettingName[]
/** One of {@link liveSettings}. */
export type LiveSettingName = (typeof liveSettings)[number]

/** The name of a setting. */
export type SettingName = keyof typeof settings
/** A setting's value. */
export type SettingValue<Name extends SettingName> = z.output<(typeof settings)[Name]['shape']>

/** Settings that may contain a secret and are therefore never shown. */
export const secretSettings: ReadonlySet<string> = new Set<SettingName>([
  'RPC_URL',
  'API_KEYS',
  'DATABASE_URL',
  'NATS_URL',
  ...secretTracingVariables,
])

type Parsing<T> = {
  /** Description of a valid value. This text completes the sentence "it must be …". */
  expected: string
  /** Returns the value, or undefined if the text is invalid. */
  parse: (text: string) => T | undefined
  /** Default value. A setting without a default value is required. */
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

/** Marks a setting as basic. All others are advanced. */
function basic<T extends { isBasic: boolean }>(entry: T): T {
  return { ...entry, isBasic: true }
}

/** Creates a setting that several programs share. */
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
    most === Number.MAX_SAFE_INTEGER ? `a whole number of at least ${least}` : `a whole number from ${least} to ${most}`
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

function parseHttpWitnesses(given: string): readonly HttpWitness[] | undefined {
  const witnesses = given.split(',').flatMap((part): HttpWitness[] => {
    const [, key = '', url = ''] = /^(\S+?)@(https?:\/\/\S+)$/.exec(part.trim()) ?? []
    try {
      const parsed = parseKey(key)
      return parsed.type === keyTypes.witness && URL.canParse(url)
        ? [{ key: parsed, url: url.replace(/\/+$/, '') }]
        : []
    } catch {
      return []
    }
  })
  const names = new Set(witnesses.map(({ key }) => key.name))
  const isWhole = names.size === given.split(',').length && witnesses.length <= maxHttpWitnesses
  return isWhole ? witnesses : undefined
}

/** Parses the base URL to which `/address/…` and `/tx/…` are appended. Removes trailing slashes. */
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

function parseNodes(given: string): [string, ...string[]] | undefined {
  const [first, ...others] = given.split(nodeSeparator).filter((part) => part !== '')
  if (first === undefined) return undefined
  const urls: [string, ...string[]] = [first, ...others]
  const areDifferent = new Set(urls).size === urls.length
  return areDifferent && urls.every((url) => hasProtocol(url, ['http:', 'https:'])) ? urls : undefined
}

function hasProtocol(given: string, protocols: readonly string[]): boolean {
  return URL.canParse(given) && protocols.includes(new URL(given).protocol)
}

/** Whether the text is a URL with one of these protocols and one or more comma-separated hosts. */
function namesHosts(given: string, protocols: readonly string[]): boolean {
  const [, before, hosts = '', after] = /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#@]+)(.*)$/.exec(given) ?? []
  return hosts.split(',').every((host) => host !== '' && hasProtocol(`${before}${host}${after}`, protocols))
}
