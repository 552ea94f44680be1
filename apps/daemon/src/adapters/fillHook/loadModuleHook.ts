import { pathToFileURL } from 'node:url'
import { ConfigurationError, HookError } from '../../errors.ts'

/**
 * A hook that is a function: what a module exports by default. It has done its work when it returns or its promise resolves.
 *
 * @param setting the setting that names it, for errors.
 * @throws {ConfigurationError} when the module cannot be loaded or has no such function.
 */
export async function loadModuleHook(
  path: string,
  setting = 'hooks.onFilled',
): Promise<(notice: object, signal: AbortSignal) => Promise<void>> {
  let module: { default?: unknown }
  try {
    module = await import(pathToFileURL(path).href)
  } catch (cause) {
    throw new ConfigurationError(`The module ${path} of ${setting} cannot be loaded: ${(cause as Error).message}`, {
      cause,
    })
  }
  const { default: call } = module
  if (typeof call !== 'function') {
    throw new ConfigurationError(`The module ${path} of ${setting} exports no function by default.`)
  }
  return async (notice, signal) => {
    try {
      await call(structuredClone(notice), { signal })
    } catch (cause) {
      throw new HookError(`The function of ${setting} has failed; the log has its error.`, { cause })
    }
  }
}
