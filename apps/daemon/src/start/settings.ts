import { address } from '@firmquote/core/wire'
import {
  INTEREST_RATE_POOL_ADDRESS,
  KEEPER_BUNDLER_ADDRESS,
  PRODUCTION_DEPLOYMENT,
  QUOTE_MARKET_ADDRESS,
} from '@firmquote/sdk'
import { keyTypes, parseKey } from '@firmquote/verify'
import * as z from 'zod/mini'
import { policyShape } from '../domain/policyDocument.ts'

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** The configuration file's shape. Rejects unknown keys. `service.url`, `chain.rpcUrl` and `policy` are required. */
export const configurationShape = z.strictObject({
  service: z.strictObject({
    url: url('must be the http or https URL of the service', /^https?:$/),
    audience: z.optional(url('must be a URL like wss://rfq.example.com/ws/rfq', /^wss?:$/)),
  }),
  chain: z.strictObject({
    rpcUrl: url('must be the http or https URL of a JSON-RPC node (the value is not shown)', /^https?:$/),
    chainId: z._default(wholeNumber(1, Number.MAX_SAFE_INTEGER), PRODUCTION_DEPLOYMENT.chainId),
    quoteMarket: z._default(address, QUOTE_MARKET_ADDRESS),
    interestRatePool: z._default(address, INTEREST_RATE_POOL_ADDRESS),
    keeperBundler: z._default(address, KEEPER_BUNDLER_ADDRESS),
    maxBlockAgeSeconds: z._default(wholeNumber(1, 31_536_000), 30),
  }),
  key: z.optional(z.strictObject({ keystore: z.optional(filled()), passwordFile: z.optional(filled()) })),
  dataDir: z._default(filled(), './data'),
  socket: z._default(filled(), '/tmp/service.sock'),
  logLevel: z._default(z.enum(logLevels), 'info'),
  shutdownTimeoutMs: z._default(wholeNumber(100, 600_000), 10_000),
  policy: policyShape,
  keeper: z._default(z.enum(['own', 'all', 'off']), 'off'),
  checkpoints: z._default(z.boolean(), true),
  keeperMaxGas: z._default(wholeNumber(500_000, 1_000_000_000), 10_000_000),
  keeperMaxGasPriceGwei: z._default(positive(), 5),
  keeperTokensPerCoin: z._default(wholeNumber(1, 1_000_000_000), 5_000),
  keeperLatestHours: z._default(wholeNumber(0, 87_600), 72),
  metrics: z.optional(z.strictObject({ port: wholeNumber(1, 65_535) })),
  alerts: z._default(
    z.strictObject({
      lowPercent: z._default(wholeNumber(0, 100), 10),
      transactions: z._default(wholeNumber(0, 1_000_000), 20),
    }),
    { lowPercent: 10, transactions: 20 },
  ),
  proofs: z._default(
    z.strictObject({
      enabled: z._default(z.boolean(), true),
      folder: z.optional(filled()),
      maxMegabytes: z._default(wholeNumber(1, 1_000_000), 256),
      witnesses: z._default(z.array(noteKey('witness')), []),
    }),
    { enabled: true, maxMegabytes: 256, witnesses: [] },
  ),
  witness: z._default(
    z.strictObject({
      enabled: z._default(z.boolean(), true),
      name: z.optional(witnessName()),
      logKey: z.optional(noteKey('log')),
    }),
    { enabled: true },
  ),
  hooks: z.optional(z.strictObject({ onFilled: z.optional(fillHookShape()), onAlert: z.optional(hookShape({})) })),
})

/** An environment variable, its description, and the setting that it overrides. */
type Override = { name: string; path: readonly string[]; about: string; kind?: 'number' | 'boolean' | 'file' }

/** Environment variables that override settings in the file. */
export const overrides: readonly Override[] = [
  { name: 'FIRMQUOTE_SERVICE_URL', path: ['service', 'url'], about: 'URL of the service' },
  {
    name: 'FIRMQUOTE_AUDIENCE',
    path: ['service', 'audience'],
    about: 'URL with which the service must identify itself, if it differs from the connected URL',
  },
  {
    name: 'FIRMQUOTE_RPC_URL',
    path: ['chain', 'rpcUrl'],
    about: 'JSON-RPC URL of a chain node; never logged',
  },
  { name: 'FIRMQUOTE_CHAIN_ID', path: ['chain', 'chainId'], kind: 'number', about: 'chain ID' },
  { name: 'FIRMQUOTE_QUOTE_MARKET', path: ['chain', 'quoteMarket'], about: 'address of the quote market contract' },
  {
    name: 'FIRMQUOTE_INTEREST_RATE_POOL',
    path: ['chain', 'interestRatePool'],
    about: 'address of the interest-rate pool contract',
  },
  {
    name: 'FIRMQUOTE_KEEPER_BUNDLER',
    path: ['chain', 'keeperBundler'],
    about: 'address of the keeper bundler contract',
  },
  { name: 'FIRMQUOTE_KEEPER', path: ['keeper'], about: 'matured positions that the keeper settles: own, all or off' },
  {
    name: 'FIRMQUOTE_CHECKPOINTS',
    path: ['checkpoints'],
    kind: 'boolean',
    about: "whether to take the checkpoints of the maker's series: true or false",
  },
  {
    name: 'FIRMQUOTE_PROOFS',
    path: ['proofs', 'enabled'],
    kind: 'boolean',
    about: "whether to check the service's receipts: true or false",
  },
  {
    name: 'FIRMQUOTE_WITNESS',
    path: ['witness', 'enabled'],
    kind: 'boolean',
    about: "whether to cosign the service's log as a witness: true or false",
  },
  { name: 'FIRMQUOTE_WITNESS_NAME', path: ['witness', 'name'], about: "name of this maker's witness in signatures" },
  {
    name: 'FIRMQUOTE_METRICS_PORT',
    path: ['metrics', 'port'],
    kind: 'number',
    about: 'port of the metrics endpoint on 127.0.0.1',
  },
  {
    name: 'FIRMQUOTE_MAX_BLOCK_AGE_SECONDS',
    path: ['chain', 'maxBlockAgeSeconds'],
    kind: 'number',
    about: 'maximum age of the newest block for quoting, in seconds',
  },
  { name: 'FIRMQUOTE_KEYSTORE', path: ['key', 'keystore'], kind: 'file', about: 'keystore file' },
  {
    name: 'FIRMQUOTE_KEYSTORE_PASSWORD_FILE',
    path: ['key', 'passwordFile'],
    kind: 'file',
    about: 'file with the keystore password in its first line',
  },
  { name: 'FIRMQUOTE_DATA_DIR', path: ['dataDir'], kind: 'file', about: 'directory of the database' },
  { name: 'FIRMQUOTE_SOCKET', path: ['socket'], kind: 'file', about: 'path of the Unix socket for control' },
  { name: 'FIRMQUOTE_LOG_LEVEL', path: ['logLevel'], about: `minimum log level: ${logLevels.join(', ')}` },
  {
    name: 'FIRMQUOTE_SHUTDOWN_TIMEOUT_MS',
    path: ['shutdownTimeoutMs'],
    kind: 'number',
    about: 'maximum duration of a graceful shutdown, in milliseconds',
  },
]

/** Environment variables for settings that the file cannot contain. */
export const secretVariables = [
  {
    name: 'FIRMQUOTE_PRIVATE_KEY',
    about: 'private key, 0x and 64 hex digits; only without a keystore',
  },
  { name: 'FIRMQUOTE_KEYSTORE_PASSWORD', about: 'keystore password' },
] as const

/** A hook is either a program or a module. */
function hookShape<T extends z.core.$ZodLooseShape>(more: T) {
  const isOne = ({ command, module }: { command?: unknown; module?: unknown }) =>
    (command === undefined) !== (module === undefined)
  return z
    .strictObject({
      ...more,
      command: z.optional(
        z.array(z.string()).check(z.refine(([program]) => !!program, 'must be [program, ...arguments]')),
      ),
      module: z.optional(filled()),
      timeoutSeconds: z._default(wholeNumber(1, 3_600), 30),
    })
    .check(z.refine(isOne, 'must have either command or module'))
}

function fillHookShape() {
  return hookShape({ when: z._default(z.enum(['filled', 'final']), 'filled') })
}

function url(expected: string, protocol: RegExp) {
  const fits = (text: string) => URL.canParse(text) && protocol.test(new URL(text).protocol)
  return z.string().check(z.refine(fits, expected))
}

/** A public key as signed notes name it: `name+id+base64`. */
function noteKey(type: keyof typeof keyTypes) {
  const isKey = (text: string) => {
    try {
      return parseKey(text).type === keyTypes[type]
    } catch {
      return false
    }
  }
  return z.string().check(z.refine(isKey, `must be a ${type}'s key, name+id+base64`))
}

/** A name in signed notes, usually a URL without its scheme. */
function witnessName() {
  const expected = 'must be a name of 1 to 100 characters without spaces and +, such as maker.example.com/w1'
  return z.string().check(z.refine((text) => /^[\x21-\x2a\x2c-\x7e]{1,100}$/.test(text), expected))
}

function filled() {
  return z.string().check(z.refine((text) => text.trim() !== '', 'must be the name of a file'))
}

function positive() {
  return z.number().check(z.refine((value) => value > 0 && value <= 1e9, 'must be a number above 0'))
}

function wholeNumber(least: number, most: number) {
  const expected =
    most === Number.MAX_SAFE_INTEGER
      ? `must be a whole number of at least ${least}`
      : `must be a whole number from ${least} to ${most}`
  return z.number().check(z.refine((value) => Number.isSafeInteger(value) && value >= least && value <= most, expected))
}
