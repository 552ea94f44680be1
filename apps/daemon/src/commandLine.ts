import { parseArgs } from 'node:util'
import { ConfigurationError } from './errors.ts'
import { configurationFile } from './init.ts'
import { overrides, secretVariables } from './settings.ts'

/** What the command line asks for. */
export type CommandLine =
  | { command: 'help' | 'version' }
  | { command: 'init'; folder: string }
  | { command: 'run'; config: string; pricer: string | undefined }

/**
 * Reads the command line.
 *
 * @throws {ConfigurationError} when it asks for what there is not, or holds what looks like a private key, which is not repeated.
 */
export function readCommandLine(args: readonly string[]): CommandLine {
  if (args.some((argument) => /[0-9a-f]{64}/i.test(argument))) {
    throw new ConfigurationError(
      'One of the arguments looks like a private key. Never put one there: others see it in the list of processes and in your shell history. Use a keystore, or FIRMQUOTE_PRIVATE_KEY. If it was a real key, treat it as known to others.',
    )
  }
  const { values, positionals } = parse(args)
  const [command = 'run', ...rest] = positionals
  if (values.help) return { command: 'help' }
  if (values.version) return { command: 'version' }
  if (rest.length > 0 || (command !== 'run' && command !== 'init')) {
    throw new ConfigurationError(`${positionals.join(' ')}: there is no such command.\n\n${usage()}`)
  }
  if (command === 'run' && values.dir === undefined) {
    return { command, config: values.config ?? configurationFile, pricer: values.pricer }
  }
  if (command === 'init' && values.config === undefined && values.pricer === undefined) {
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

/** What `--help` says. */
export function usage(): string {
  const variables = [...overrides, ...secretVariables]
  const width = Math.max(...variables.map(({ name }) => name.length))
  return `Usage: firmquote-daemon init [--dir <folder>]
       firmquote-daemon [run] [--config <file>] [--pricer <module>]

init writes a commented ${configurationFile} and a new keystore, and overwrites nothing. run quotes: it connects to the
service, prices RFQs by the configuration's policy (or by the function priceRfq of your module) and signs.

  -c, --config <file>   default ${configurationFile}
  --pricer <module>     a JavaScript module that prices in place of the policy
  --dir <folder>        where init writes; default here
  -h, --help            this text
  --version

Environment, in place of what the file says:

${variables.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`).join('\n')}

Once it is in, it writes one line "ready <address>" to standard output. Its log, one JSON object a line, goes to standard
error. SIGINT or SIGTERM lets answers under way finish and stops it; a second one stops it at once.
`
}
