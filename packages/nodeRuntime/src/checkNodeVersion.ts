// Why: docs/decisions/0023-toolchain.md
import { ConfigurationError } from './configurationError.ts'

const required = [22, 12] as const

/**
 * Rejects Node.js versions on which the native database module crashes.
 *
 * @param program subject of the error message, such as `the server`.
 * @param version in the format of `process.versions.node`.
 * @throws {ConfigurationError} if the version is older than 22.12.
 */
export function checkNodeVersion(program: string, version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > required[0] || (major === required[0] && minor >= required[1])) return
  throw new ConfigurationError(
    `This is Node ${version}; ${program} needs Node ${required.join('.')} or newer (https://nodejs.org).`,
  )
}
