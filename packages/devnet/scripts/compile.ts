/**
 * Compiles the reference contracts and the unmodified Morpho Blue, and writes one TypeScript file a contract to src/generated.
 * The output depends on nothing but the sources, the compilers and the settings below, and so do the CREATE2 addresses.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

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
  /** SPDX, of what is written: that of the sources, by their headers. */
  license: string
  compiler: string
  settings: Record<string, unknown>
  sources: readonly string[]
  /** Contracts to write, by name. */
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
      // The newest rules that every chain Firmquote runs on has.
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
      'BlacklistingToken',
      'FeeToken',
      'NoReturnToken',
      'BatchAccount',
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

/** Given for every use of transient storage; OpenZeppelin's reentrancy guard clears what it stores, which the warning asks for. */
const transientStorageWarning = '2394'

/** `contracts/…` is ours, everything else comes from node_modules. */
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

/** `IRateAdapter` and `RateAdapter` both give `rateAdapter`. */
function camelCase(name: string): string {
  return name.replace(/^I(?=[A-Z])/, '').replace(/^[A-Z]/, (first) => first.toLowerCase())
}

function writeContract(name: string, license: string, { abi, evm }: CompiledContract): void {
  const base = camelCase(name)
  const lines = [`export const ${base}Abi = ${JSON.stringify(abi, null, 2)} as const`]
  if (evm.bytecode.object !== '') {
    lines.push(`export const ${base}Bytecode = '0x${evm.bytecode.object}' as const`)
    lines.push(`export const ${base}DeployedBytecode = '0x${evm.deployedBytecode.object}' as const`)
  }
  // With the mark that bundlers keep.
  const header = `/*! SPDX-License-Identifier: ${license} (${name}) */\n// Written by scripts/compile.ts.`
  writeFileSync(join(outDir, `${base}.ts`), `${header}\n${lines.join('\n\n')}\n`)
}

/** A digest of all that the output depends on; dependencies count by their exact versions. */
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
if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === digest) {
  process.stdout.write('contracts: unchanged\n')
} else {
  rmSync(outDir, { recursive: true, force: true })
  mkdirSync(outDir, { recursive: true })
  for (const job of jobs) {
    const compiled = compile(job)
    for (const name of job.contracts) {
      const contract = compiled[name]
      if (contract === undefined) {
        process.stderr.write(`${name} is not in the output of ${job.compiler}\n`)
        process.exit(1)
      }
      writeContract(name, job.license, contract)
    }
  }
  // Last, so that a build that was broken off is done again.
  writeFileSync(stampFile, digest)
  process.stdout.write(`contracts: compiled ${jobs.flatMap(({ contracts }) => contracts).length}\n`)
}
