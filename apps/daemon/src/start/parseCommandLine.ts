import { parseArgs } from 'node:util'
import { ConfigurationError } from '../errors.ts'
import { configurationFile } from './init.ts'
import { overrides, secretVariables } from './settings.ts'

/** A command with its options. */
export type CommandLine =
  | { command: 'help' | 'version' }
  | { command: 'init'; folder: string }
  | { command: 'approve'; config: string; amount: string }
  | { command: 'run'; config: string; pricer: string | undefined }

/**
 * Parses the command line.
 *
 * @throws {ConfigurationError} when it has an unknown command or option, or what looks like a private key, which is not
 * repeated.
 */
export function parseCommandLine(args: readonly string[]): CommandLine {
  if (args.some((argument) => /[0-9a-f]{64}/i.test(argument))) {
    throw new ConfigurationError(
      'One of the arguments looks like a private key. Never put one there: others see it in the list of processes and in your shell history. Use a keystore, or FIRMQUOTE_PRIVATE_KEY. If it was a real key, treat it as known to others.',
    )
  }
  const { values, positionals } = parse(args)
  const [command = 'run', amount, ...rest] = positionals
  if (values.help) return { command: 'help' }
  if (values.version) return { command: 'version' }
  const isApproval = command === 'approve'
  if (rest.length > 0 || (amount !== undefined && !isApproval) || !['run', 'init', 'approve'].includes(command)) {
    throw new ConfigurationError(`${positionals.join(' ')}: there is no such command.\n\n${usage()}`)
  }
  const { config = configurationFile, pricer } = values
  if (command === 'run' && values.dir === undefined) return { command, config, pricer }
  if (isApproval && values.dir === undefined && pricer === undefined) {
    if (amount !== undefined) return { command, config, amount }
    throw new ConfigurationError(`How many tokens? As in: firmquote-daemon approve 500000\n\n${usage()}`)
  }
  if (command === 'init' && values.config === undefined && pricer === undefined) {
    return { command, folder: values.dir ?? '.' }
  }
  throw new ConfigurationError(`${command} does not take all of these options.\n\n${usage()}`)
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        config: { type: 'string', short: 'c' },
        pricer: { type: 'string' },
        dir: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new ConfigurationError(`${(error as Error).message}\n\n${usage()}`)
  }
}

/** The text of `--help`. */
export function usage(): string {
  const variables = [...overrides, ...secretVariables]
  const width = Math.max(...variables.map(({ name }) => name.length))
  return `Usage: firmquote-daemon init [--dir <folder>]
       firmquote-daemon approve <amount> [--config <file>]
       firmquote-daemon [run] [--config <file>] [--pricer <module>]

init writes a commented ${configurationFile} and a new keystore, and overwrites nothing. approve sets how many whole loan
tokens of the maker's the quote market may move. run quotes: it connects to the service, prices
RFQs by the configuration's policy (or by the function priceRfq of your module) and signs.

  -c, --config <file>   default ${configurationFile}
  --pricer <module>     a JavaScript module that prices in place of the policy
  --dir <folder>        where init writes; default here
  -h, --help            this text
  --version

Environment, in place of the file's settings:

${variables.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`).join('\n')}

Once the service has authenticated it, it writes one line "ready <address>" to standard output. Its log, one JSON object a
line, goes to standard error. SIGINT or SIGTERM lets answers under way finish and stops it; a second one stops it at once.
`
}
