import { basename } from 'node:path'
import { checksumAddress } from './checksumAddress.ts'
import { constantName } from './constantName.ts'
import type { Deployment } from './deployment.ts'
import { DeploymentFileError, type DeploymentMistake } from './deploymentFileError.ts'
import { PRODUCTION_DEPLOYMENT } from './generated/deployment.ts'

const contractNames = ['interestRatePool', 'bundler3', 'quoteMarket', 'keeperBundler'] as const
const requiredKeys = ['chainId', 'name', 'deployBlock', 'contracts', 'adapters'] as const
const knownKeys: readonly string[] = [...requiredKeys, 'note']

/**
 * Parses a deployment file strictly. Every field except `note` is required, and unknown fields are rejected. Every
 * address must have a valid EIP-55 checksum, be nonzero and occur only once.
 *
 * @param file - The file name shown in messages. A numeric name (`8453.json`) must match the chain id.
 * @throws {DeploymentFileError} that lists all errors.
 */
export function decodeDeployment(text: string, file: string): Deployment {
  const mistakes: DeploymentMistake[] = []
  const report = (path: string, message: string): void => {
    mistakes.push({ path, message })
  }

  const root = parseJson(text, file)
  if (!isRecord(root)) throw new DeploymentFileError(file, [{ path: '', message: 'must be a JSON object' }])
  checkKeys(root, '', requiredKeys, knownKeys, report)

  const { chainId, name, note, deployBlock, contracts, adapters } = root
  checkChainId(chainId, file, report)
  checkText(name, 'name', report)
  checkText(note, 'note', report)
  if (isWhole(chainId, 1) && chainId !== PRODUCTION_DEPLOYMENT.chainId) rejectCopies({ note, adapters }, report)
  if (deployBlock !== undefined && !isWhole(deployBlock, 0)) report('deployBlock', 'must be a non-negative integer')

  const places = new Map<string, string>()
  if (isRecord(contracts)) {
    checkKeys(contracts, 'contracts.', contractNames, contractNames, report)
    for (const key of contractNames) checkAddress(contracts[key], `contracts.${key}`, places, report)
  } else if (contracts !== undefined) report('contracts', 'must be an object')
  if (isRecord(adapters)) checkAdapters(adapters, places, report)
  else if (adapters !== undefined) report('adapters', 'must be an object')

  if (mistakes.length > 0) throw new DeploymentFileError(file, mistakes)
  return root as Deployment
}

type Report = (path: string, message: string) => void

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DeploymentFileError(file, [{ path: '', message: `is not JSON: ${reason}` }], { cause })
  }
}

function checkKeys(
  record: Record<string, unknown>,
  prefix: string,
  required: readonly string[],
  known: readonly string[],
  report: Report,
): void {
  for (const key of required) if (!Object.hasOwn(record, key)) report(prefix + key, 'is missing')
  for (const key of Object.keys(record)) {
    if (!known.includes(key)) report(prefix + key, `is not a known field; the known fields are ${known.join(', ')}`)
  }
}

function checkChainId(chainId: unknown, file: string, report: Report): void {
  if (chainId === undefined) return
  const stem = basename(file, '.json')
  if (!isWhole(chainId, 1)) report('chainId', 'must be a positive integer')
  else if (/^[0-9]+$/.test(stem) && stem !== String(chainId)) {
    report('chainId', `is ${chainId}, but the file is named for chain ${stem}`)
  }
}

/** Reports values that were copied from the production deployment and are wrong on another chain. */
function rejectCopies({ note, adapters }: { note: unknown; adapters: unknown }, report: Report): void {
  const { chainId, ...production } = PRODUCTION_DEPLOYMENT
  if (note === production.note) report('note', `is that of chain ${chainId}; change or remove it`)
  // Firmquote's own adapters have the same address on every chain.
  const { bundlerAdapter: _, morphoBlue: __, morphoBlueAdapter: ___, ...ofMorpho } = production.adapters
  for (const [name, address] of Object.entries(ofMorpho)) {
    if (isRecord(adapters) && adapters[name] === address) {
      report(`adapters.${name}`, `is the address on chain ${chainId}; change or remove it`)
    }
  }
}

function checkText(text: unknown, path: string, report: Report): void {
  if (text !== undefined && (typeof text !== 'string' || text.trim() === '')) report(path, 'must be a non-empty string')
}

function checkAdapters(adapters: Record<string, unknown>, places: Map<string, string>, report: Report): void {
  const constants = new Map<string, string>()
  for (const [name, address] of Object.entries(adapters)) {
    const path = `adapters.${name}`
    const constant = constantName(name)
    const twin = constants.get(constant)
    if (!/^[a-z][a-zA-Z0-9]*$/.test(name)) report(path, 'is not a camelCase name')
    else if (twin !== undefined) report(path, `has the same constant name as ${twin}: ${constant}`)
    constants.set(constant, path)
    checkAddress(address, path, places, report)
  }
}

function checkAddress(address: unknown, path: string, places: Map<string, string>, report: Report): void {
  if (address === undefined) return
  if (typeof address !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(address)) {
    report(path, 'must be an address: 0x and 40 hex digits, in quotes')
    return
  }
  const expected = checksumAddress(address)
  if (address !== expected) report(path, `wrong EIP-55 checksum, expected ${expected}`)
  if (/^0x0+$/.test(address)) report(path, 'must not be the zero address')
  const twin = places.get(expected)
  if (twin !== undefined) report(path, `is the same address as ${twin}`)
  else places.set(expected, path)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isWhole(value: unknown, min: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= min
}
