import { parseArgs } from 'node:util'
import { tracingVariables } from '@firmquote/node-runtime/tracingSettings'
import type { ReportFormat } from '../domain/formatReport.ts'
import { ConfigurationError } from '../errors.ts'
import { configurationFile } from './init.ts'
import { overrides, secretVariables } from './settings.ts'

/** A command with its options. */
export type CommandLine =
  | { command: 'help' | 'version' }
  | { command: 'init'; folder: string }
  | { command: 'approve'; config: string; amount: string }
  | { command: 'run'; config: string; pricer: string | undefined; dryRun: boolean }
  | { command: 'report'; config: string; format: ReportFormat }

/**
 * Parses the command line.
 *
 * @throws {ConfigurationError} if a command or an option is unknown, or if an argument looks like a private key. The
 * message does not contain it.
 */
export function parseCommandLine(args: readonly string[]): CommandLine {
  if (args.some((argument) => /[0-9a-f]{64}/i.test(argument))) {
    throw new ConfigurationError(
      'An argument looks like a private key. Never pass a key as an argument: other users can see it in the process list, and it stays in your shell history. Use a keystore or FIRMQUOTE_PRIVATE_KEY. If it was a real key, consider it compromised.',
    )
  }
  const { values, positionals } = parse(args)
  const [command = 'run', amount, ...rest] = positionals
  if (values.help) return { command: 'help' }
  if (values.version) return { command: 'version' }
  const own = Object.hasOwn(optionsOf, command) ? optionsOf[command as keyof typeof optionsOf] : null
  if (own === null || rest.length > 0 || (amount !== undefined && command !== 'approve')) {
    throw new ConfigurationError(`${positionals.join(' ')}: unknown command.\n\n${usage()}`)
  }
  if (Object.keys(values).some((name) => !own.includes(name)) || (values.json && values.csv)) {
    throw new ConfigurationError(`${command} does not support all of these options.\n\n${usage()}`)
  }
  const { config = configurationFile, pricer, dir = '.' } = values
  switch (command as keyof typeof optionsOf) {
    case 'run':
      return { command: 'run', config, pricer, dryRun: values['dry-run'] ?? false }
    case 'init':
      return { command: 'init', folder: dir }
    case 'report':
      return { command: 'report', config, format: values.json ? 'json' : values.csv ? 'csv' : 'table' }
    case 'approve':
      if (amount !== undefined) return { command: 'approve', config, amount }
      throw new ConfigurationError(
        `An amount of tokens is required. Example: firmquote-daemon approve 500000\n\n${usage()}`,
      )
  }
}

/** Options of each command. */
const optionsOf: Record<'run' | 'init' | 'approve' | 'report', readonly string[]> = {
  run: ['config', 'pricer', 'dry-run'],
  init: ['dir'],
  approve: ['config'],
  report: ['config', 'json', 'csv'],
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        config: { type: 'string', short: 'c' },
        pricer: { type: 'string' },
        'dry-run': { type: 'boolean' },
        json: { type: 'boolean' },
        csv: { type: 'boolean' },
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
  const ofTraces = Object.entries(tracingVariables).map(([name, { about }]) => ({
    name,
    about: about.replaceAll('`', ''),
  }))
  const variables = [...overrides, ...secretVariables, ...ofTraces]
  const width = Math.max(...variables.map(({ name }) => name.length))
  return `Usage: firmquote-daemon init [--dir <folder>]
       firmquote-daemon approve <amount> [--config <file>]
       firmquote-daemon report [--config <file>] [--json | --csv]
       firmquote-daemon [run] [--config <file>] [--pricer <module>] [--dry-run]

init writes a commented ${configurationFile} and a new keystore, and never overwrites a file. approve sets the quote
market's allowance in whole loan tokens. report shows the maker's positions with premium, floating interest and P&L, and
the exposure by series. run connects to the service, prices RFQs with the configured policy (or with your module's
priceRfq function), signs quotes and submits them.

  -c, --config <file>   default ${configurationFile}
  --pricer <module>     JavaScript module that prices RFQs instead of the policy
  --dry-run             price RFQs and log the result, without signing or submitting quotes
  --json, --csv         print raw units for programs, instead of tables
  --dir <folder>        folder that init writes to; default: the current folder
  -h, --help            show this help
  --version             show the version

Environment variables override the file's settings:

${variables.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`).join('\n')}

Once the service has authenticated it, the daemon writes the line "ready <address>" to standard output. Its log goes to
standard error, one JSON object per line. SIGINT or SIGTERM stops it after it completes pending answers. A second signal
stops it immediately.
`
}
