import { pathToFileURL } from 'node:url'
import { ConfigurationError, HookError } from '../../errors.ts'

/**
 * Loads a hook function, the default export of a module. The hook succeeds when the function returns or its promise
 * resolves.
 *
 * @param setting name of the hook's setting, for error messages.
 * @throws {ConfigurationError} if the module cannot be loaded or has no default function.
 */
export async function loadModuleHook(
  path: string,
  setting = 'hooks.onFilled',
): Promise<(notice: object, signal: AbortSignal) => Promise<void>> {
  let module: { default?: unknown }
  try {
    module = await import(pathToFileURL(path).href)
  } catch (cause) {
    throw new ConfigurationError(`Failed to load the ${setting} module ${path}: ${(cause as Error).message}`, {
      cause,
    })
  }
  const { default: call } = module
  if (typeof call !== 'function') {
    throw new ConfigurationError(`The ${setting} module ${path} has no function as its default export.`)
  }
  return async (notice, signal) => {
    try {
      await call(structuredClone(notice), { signal })
    } catch (cause) {
      throw new HookError(`The ${setting} function failed; see the log for its error.`, { cause })
    }
  }
}
