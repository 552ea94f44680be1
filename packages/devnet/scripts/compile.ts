/**
 * Compiles the reference contracts and the unmodified Morpho Blue, and writes one TypeScript file per contract to
 * src/generated. `--check` compiles and compares. The output, and therefore the CREATE2 addresses, depends only on the
 * sources, the compilers and the settings below.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isCheck, writeGenerated } from '../../../scripts/writeGenerated.ts'

type Solc = {
  version(): string
  compile(input: string, callbacks: { import(path: string): { contents: string } | { error: string } }): string
}

type CompiledContract = {
  abi: readonly unknown[]
  evm: { bytecode: { object: string }; deployedBytecode: { object: string } }
}

type CompilerOutput = {
  errors?: readonly { severity: string; errorCode: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, CompiledContract>>
}

type Job = {
  /** The output's SPDX license, from the sources' headers. */
  license: string
  compiler: string
  settings: Record<string, unknown>
  sources: readonly string[]
  /** Names of the contracts to write. */
  contracts: readonly string[]
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const outDir = join(root, 'src', 'generated')
const stampFile = join(outDir, 'inputs.sha256')
const require = createRequire(import.meta.url)

const outputSelection = { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } }

const jobs: readonly Job[] = [
  {
    license: 'MIT',
    compiler: 'solc',
    settings: {
      // The newest EVM version that all of Firmquote's chains support.
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 10_000 },
      metadata: { bytecodeHash: 'none' },
      outputSelection,
    },
    sources: globSync('contracts/**/*.sol', { cwd: root })
      .map((path) => path.split(sep).join('/'))
      .sort(),
    contracts: [
      'QuoteMarket',
      'InterestRatePool',
      'IRateAdapter',
      'MorphoBlueAdapter',
      'KeeperBundler',
      'BundlerAdapter',
      'TestToken',
      'FixedOracle',
      'LinearIrm',
      'ReferenceMulticall',
      'ReferenceBundler',
      'Erc1271Wallet',
      'HostileErc1271Wallet',
      'SwitchableErc1271Wallet',
      'SettableRateAdapter',
      'ConstantIrm',
      'BlacklistingToken',
      'FeeToken',
      'ReentrantToken',
      'NoReturnToken',
      'BatchAccount',
      'ReceiptVerifier',
    ],
  },
  {
    license: 'BUSL-1.1 AND GPL-2.0-or-later',
    compiler: 'solc-0.8.19',
    settings: {
      evmVersion: 'paris',
      viaIR: true,
      optimizer: { enabled: true, runs: 999_999 },
      metadata: { bytecodeHash: 'none' },
      outputSelection,
    },
    sources: ['@morpho-org/morpho-blue/src/Morpho.sol'],
    contracts: ['Morpho'],
  },
]

/**
 * The warning emitted for every use of transient storage. It does not apply, because OpenZeppelin's reentrancy guard
 * clears its slot.
 */
const transientStorageWarning = '2394'

/** Reads a source file. Paths under `contracts/` are local. All others are in node_modules. */
function loadSource(path: string): string {
  return readFileSync(join(root, path.startsWith('contracts/') ? path : join('node_modules', path)), 'utf8')
}

function compile(job: Job): Record<string, CompiledContract> {
  const solc: Solc = require(job.compiler)
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(job.sources.map((path) => [path, { content: loadSource(path) }])),
    settings: job.settings,
  }
  const output: CompilerOutput = JSON.parse(
    solc.compile(JSON.stringify(input), {
      import(path) {
        try {
          return { contents: loadSource(path) }
        } catch (cause) {
          return { error: `${path} cannot be read: ${String(cause)}` }
        }
      },
    }),
  )
  const problems = (output.errors ?? []).filter(
    ({ severity, errorCode }) => severity !== 'info' && errorCode !== transientStorageWarning,
  )
  for (const { formattedMessage } of problems) process.stderr.write(`${formattedMessage}\n`)
  if (problems.some(({ severity }) => severity === 'error')) process.exit(1)
  return Object.assign({}, ...Object.values(output.contracts ?? {}))
}

/** Converts a contract's name: `IRateAdapter` and `RateAdapter` both become `rateAdapter`. */
function camelCase(name: string): string {
  return name.replace(/^I(?=[A-Z])/, '').replace(/^[A-Z]/, (first) => first.toLowerCase())
}

function moduleOf(name: string, license: string, { abi, evm }: CompiledContract): string {
  const base = camelCase(name)
  const lines = [`export const ${base}Abi = ${JSON.stringify(abi, null, 2)} as const`]
  if (evm.bytecode.object !== '') {
    lines.push(`export const ${base}Bytecode = '0x${evm.bytecode.object}' as const`)
    lines.push(`export const ${base}DeployedBytecode = '0x${evm.deployedBytecode.object}' as const`)
  }
  // Bundlers preserve comments that start with `/*!`.
  const header = `/*! SPDX-License-Identifier: ${license} (${name}) */\n// Written by scripts/compile.ts.`
  return `${header}\n${lines.join('\n\n')}\n`
}

/** Returns a digest of everything that determines the output. Dependencies are identified by their exact versions. */
function digestInputs(): string {
  const hash = createHash('sha256')
  hash.update(readFileSync(fileURLToPath(import.meta.url)))
  for (const name of ['solc', 'solc-0.8.19', '@openzeppelin/contracts', '@morpho-org/morpho-blue']) {
    hash.update(readFileSync(join(root, 'node_modules', name, 'package.json')))
  }
  for (const job of jobs) {
    hash.update(JSON.stringify(job))
    for (const path of job.sources) hash.update(loadSource(path))
  }
  return hash.digest('hex')
}

const digest = digestInputs()
if (!isCheck && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === digest) {
  process.stdout.write('contracts: unchanged\n')
} else {
  const files = jobs.flatMap((job) => {
    const compiled = compile(job)
    return job.contracts.map((name) => {
      const contract = compiled[name]
      if (contract === undefined) throw new TypeError(`${name} is not in the output of ${job.compiler}.`)
      return [`${camelCase(name)}.ts`, moduleOf(name, job.license, contract)] as const
    })
  })
  writeGenerated(outDir, { ...Object.fromEntries(files), 'inputs.sha256': digest })
  process.stdout.write(`contracts: compiled ${files.length}\n`)
}
