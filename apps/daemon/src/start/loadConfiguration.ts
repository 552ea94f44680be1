import { dirname, resolve } from 'node:path'
import { decode } from '@firmquote/core/wire'
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml'
import type * as z from 'zod/mini'
import { ConfigurationError } from '../errors.ts'
import { configurationShape, overrides } from './settings.ts'

/** A daemon's validated settings. File names are absolute paths. */
export type Configuration = z.output<typeof configurationShape>

type Environment = Readonly<Record<string, string | undefined>>
type Mistake = { line: number; text: string }

/**
 * Loads a configuration from YAML text. Environment variables override settings. Relative file names are resolved
 * against the configuration's folder if they come from the configuration, and against the working directory if they
 * come from environment variables.
 *
 * @param file path of the file.
 * @throws {ConfigurationError} if the configuration is invalid. Lists every mistake with its line and path.
 */
export function loadConfiguration(content: string, file: string, environment: Environment): Configuration {
  const lines = new LineCounter()
  const document = parseDocument(content, { lineCounter: lines, prettyErrors: false, stringKeys: true })
  if (document.errors.length > 0) {
    throw mistaken(
      file,
      document.errors.map(({ pos, message }) => {
        const { line } = lines.linePos(pos[0])
        return { line, text: `line ${line}: ${message}` }
      }),
    )
  }
  // `maxAliasCount` prevents a small file from expanding to gigabytes.
  const settings: unknown = document.toJS({ maxAliasCount: 100 }) ?? {}
  const overridden = override(settings, environment)
  const decoded = decode<Configuration>(configurationShape, settings)
  if (decoded.ok) return withAbsolutePaths(decoded.value, dirname(resolve(file)))
  throw mistaken(
    file,
    decoded.issues.map(({ path, message }) => {
      const variable = overridden.get(path)
      if (variable !== undefined) return { line: 0, text: `${variable} (in the environment): ${message}` }
      const line = lineOf(document, path === '' ? [] : path.split('.'), lines)
      return { line, text: `line ${line}: ${path === '' ? 'the file' : path} ${message}` }
    }),
  )
}

/**
 * Applies environment variables to the settings. An empty variable is treated as unset.
 *
 * @returns the variable names, keyed by setting path.
 */
function override(settings: unknown, environment: Environment): Map<string, string> {
  const overridden = new Map<string, string>()
  for (const { name, path, kind } of overrides) {
    const given = environment[name]?.trim()
    if (!given || !isRecord(settings)) continue
    const value = convert(given, kind)
    let place = settings
    for (const key of path.slice(0, -1)) {
      const inner: unknown = place[key] ?? {}
      if (!isRecord(inner)) break
      place[key] = inner
      place = inner
    }
    place[path.at(-1) ?? ''] = value
    overridden.set(path.join('.'), name)
  }
  return overridden
}

/** Converts a variable to its kind. Returns the text if it does not match, so that the shape rejects it. */
function convert(given: string, kind: (typeof overrides)[number]['kind']): unknown {
  if (kind === 'file') return resolve(given)
  if (kind === 'number' && /^\d{1,16}$/.test(given)) return Number(given)
  return kind === 'boolean' && /^(?:true|false)$/.test(given) ? given === 'true' : given
}

function withAbsolutePaths(configuration: Configuration, folder: string): Configuration {
  const { key, dataDir, socket, proofs, hooks } = configuration
  const absolute = (path: string) => resolve(folder, path)
  return {
    ...configuration,
    dataDir: absolute(dataDir),
    socket: absolute(socket),
    proofs: { ...proofs, ...(proofs.folder !== undefined && { folder: absolute(proofs.folder) }) },
    ...(key && {
      key: {
        ...(key.keystore === undefined ? {} : { keystore: absolute(key.keystore) }),
        ...(key.passwordFile === undefined ? {} : { passwordFile: absolute(key.passwordFile) }),
      },
    }),
    ...(hooks && {
      hooks: {
        ...(hooks.onFilled && { onFilled: withAbsoluteProgram(hooks.onFilled, absolute) }),
        ...(hooks.onAlert && { onAlert: withAbsoluteProgram(hooks.onAlert, absolute) }),
      },
    }),
  }
}

/** Makes the hook's file names absolute, except a program name without a slash, which is looked up in PATH. */
function withAbsoluteProgram<T extends { command?: string[] | undefined; module?: string | undefined }>(
  hook: T,
  absolute: (path: string) => string,
): T {
  const [program = '', ...args] = hook.command ?? []
  if (program.includes('/')) return { ...hook, command: [absolute(program), ...args] }
  return hook.module === undefined ? hook : { ...hook, module: absolute(hook.module) }
}

/** Returns a setting's line or, if the setting is missing, the line of its nearest parent. */
function lineOf(document: Document, path: readonly string[], lines: LineCounter): number {
  const parent = document.getIn(path.slice(0, -1), true)
  if (isMap(parent)) {
    // Return the line of the YAML key, because its value may begin on a later line.
    const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === path.at(-1))
    if (pair && isScalar(pair.key) && pair.key.range) return lines.linePos(pair.key.range[0]).line
  }
  const node = path.length === 0 ? document.contents : document.getIn(path, true)
  if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
  return path.length === 0 ? 1 : lineOf(document, path.slice(0, -1), lines)
}

function mistaken(file: string, mistakes: readonly Mistake[]): ConfigurationError {
  const sorted = [...mistakes].sort((a, b) => a.line - b.line).map(({ text }) => `  ${text}`)
  const count = sorted.length === 1 ? 'a mistake' : `${sorted.length} mistakes`
  return new ConfigurationError(`${file} has ${count}:\n${sorted.join('\n')}`)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
