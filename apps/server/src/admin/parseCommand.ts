import { parseArgs } from 'node:util'
import { BaseError } from '@firmquote/core'
import { adminUsage, commandUsage } from './adminUsage.ts'
import { type Command, synopsis } from './command.ts'

/** A parsed command line: a help text, or a call of a command's method. */
export type Request =
  | { help: string }
  | {
      command: Command
      params: Record<string, unknown>
      json: boolean
      /** Path of the socket, if given. */
      socket: string | undefined
      /** The operator's name, if given. */
      as: string | undefined
    }

/** The command line cannot be understood. The message says what is wrong. Code `USAGE`. */
export class UsageError extends BaseError {
  override name = 'UsageError'

  constructor(message: string) {
    super('USAGE', message)
  }
}

/**
 * Parses the arguments after `admin`.
 *
 * @throws {UsageError} if they do not name a command, or if one of its values is missing or invalid.
 */
export function parseCommand(args: readonly string[], commands: readonly Command[]): Request {
  const command = commands.find(({ words }) => words.split(' ').every((word, index) => args[index] === word))
  const asksForHelp = args.some((one) => one === '--help' || one === '-h')
  if (!command) {
    const [group = ''] = args
    const ofGroup = commands.filter(({ words }) => words.startsWith(`${group} `))
    if (args.length === 0 || asksForHelp) return { help: adminUsage(ofGroup.length > 0 ? ofGroup : commands) }
    const known = ofGroup.length > 0 ? ofGroup : commands
    const names = known.map(({ words }) => `"${words}"`).join(', ')
    throw new UsageError(`Unknown command "${args.join(' ')}": use one of ${names}.`)
  }
  if (asksForHelp) return { help: commandUsage(command) }

  const { arguments: expected = [], options = [], changes } = command
  const { values, positionals } = parseStrictly(args.slice(command.words.split(' ').length), command)
  if (positionals.length !== expected.length) throw misused(command)
  const given = [
    ...expected.map((parameter, index) => ({ parameter, name: parameter.value.name, text: positionals[index] })),
    ...options.map((parameter) => ({ parameter, name: `--${parameter.flag}`, text: values[parameter.flag] })),
  ]
  const params: Record<string, unknown> = {}
  for (const { parameter, name, text } of given) {
    if (typeof text !== 'string') {
      if ('isRequired' in parameter && parameter.isRequired) throw misused(command, `${name} is missing.`)
      continue
    }
    const value = parameter.value.parse(text)
    if (value === undefined) throw new UsageError(`${name} is "${text}"; it must be ${parameter.value.expected}.`)
    params[parameter.key] = value
  }
  const { json, socket, as } = values
  if (as !== undefined && !changes) throw new UsageError(`"${command.words}" changes nothing, so --as has no meaning.`)
  return { command, params, json: json === true, socket: textOf(socket), as: textOf(as) }
}

type Values = Readonly<Record<string, string | boolean | undefined>>

function parseStrictly(args: string[], command: Command): { values: Values; positionals: string[] } {
  const flags = ['socket', 'as', ...(command.options ?? []).map(({ flag }) => flag)]
  const options = Object.fromEntries(flags.map((flag) => [flag, { type: 'string' as const }]))
  try {
    return parseArgs({ args, options: { ...options, json: { type: 'boolean' } }, allowPositionals: true })
  } catch (cause) {
    throw misused(command, `${(cause as Error).message.split('. ')[0]}.`)
  }
}

function misused(command: Command, reason?: string): UsageError {
  const usage = `Usage: firmquote-server admin ${synopsis(command)}`
  return new UsageError(reason === undefined ? usage : `${reason} ${usage}`)
}

function textOf(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
