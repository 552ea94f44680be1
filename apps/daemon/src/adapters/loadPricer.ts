import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Pricer } from '../domain/priceRfq.ts'
import { ConfigurationError } from '../errors.ts'

/**
 * Loads a custom pricer: the function that a module exports as `priceRfq` or by default.
 *
 * @throws {ConfigurationError} if the module cannot be loaded or has no such function.
 */
export async function loadPricer(file: string): Promise<Pricer> {
  const path = resolve(file)
  let module: { priceRfq?: unknown; default?: unknown }
  try {
    module = await import(pathToFileURL(path).href)
  } catch (cause) {
    throw new ConfigurationError(`Failed to load the pricer ${path}: ${(cause as Error).message}`, { cause })
  }
  const pricer = module.priceRfq ?? module.default
  if (typeof pricer === 'function') return pricer as Pricer
  throw new ConfigurationError(
    `The pricer ${path} exports no function; export one as priceRfq or by default, as @firmquote/daemon does.`,
  )
}
