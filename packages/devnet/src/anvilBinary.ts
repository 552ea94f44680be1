import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { DevnetError } from './devnetError.ts'

const packages: Readonly<Record<string, string>> = {
  'darwin-arm64': '@foundry-rs/anvil-darwin-arm64',
  'darwin-x64': '@foundry-rs/anvil-darwin-amd64',
  'linux-arm64': '@foundry-rs/anvil-linux-arm64',
  'linux-x64': '@foundry-rs/anvil-linux-amd64',
  'win32-x64': '@foundry-rs/anvil-win32-amd64',
}

/**
 * Returns the path of the anvil executable. Bypasses the launcher script in anvil's package, because killing the script
 * leaves anvil running.
 *
 * @throws {DevnetError} `ANVIL_NOT_INSTALLED` if there is no build for this machine or optional dependencies were not
 * installed.
 */
export function findAnvilBinary(): string {
  const machine = `${platform()}-${arch()}`
  const name = packages[machine]
  if (name === undefined) throw new DevnetError('ANVIL_NOT_INSTALLED', `anvil is not available for ${machine}.`)
  try {
    const launcher = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
    const manifest = createRequire(launcher).resolve(`${name}/package.json`)
    return join(dirname(manifest), 'bin', platform() === 'win32' ? 'anvil.exe' : 'anvil')
  } catch (cause) {
    throw new DevnetError('ANVIL_NOT_INSTALLED', `${name} is not installed. Reinstall with optional dependencies.`, {
      cause,
    })
  }
}
