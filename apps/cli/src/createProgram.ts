import { Argument, Command, Option } from 'commander'
import type { Context } from './context.ts'
import { exitCodes } from './exitCodes.ts'

const examples = `
Examples:
  firmquote pools
  firmquote rfq --pool 1 --expiry 2027-03-01 --notional 250k
  firmquote rfq --pool 1 --expiry 2027-03-01 --notional 1.5m --max-apr 8 --take --approve --rpc http://127.0.0.1:8545
  firmquote quotes --pool 1 --sort rate --json

The key that signs and sends comes from FIRMQUOTE_PRIVATE_KEY or from --key-file (a file of mode 0600), never from the
command line.

Exit codes: ${Object.entries(exitCodes)
  .map(([name, code]) => `${code} ${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`)
  .join(', ')}.`

/**
 * Defines the commands and their options. What a command needs is loaded when it runs, so that `--help` is fast.
 *
 * @param context passed to the command that runs; not used before.
 */
export function createProgram(context: Context, version: string): Command {
  const program = new Command('firmquote')
    .description(
      'Fixed rates for variable-rate debt, from a terminal: ask for quotes, watch them come in, take the best.',
    )
    .version(version)
    .addHelpText('after', examples)
    .exitOverride()

  service(program.command('rfq').description('run an auction, check its best quotes, take them with --take'))
    .requiredOption('--pool <pool>', 'id, unique prefix of it, number in `firmquote pools`, or token symbol')
    .requiredOption('--notional <amount>', 'the debt to fix: 250k, 1.5m, 250000.5')
    .option('--expiry <instant>', 'fixed until: 2027-03-01 (UTC), Unix seconds, 2027-03-01T12:00Z')
    .option('--series <key>', 'one exact series instead, by its key or a unique prefix')
    .option('--min-notional <amount>', 'the least that one quote may be for; default: a tenth of it')
    .option('--max-cost <amount>', 'the most that it may cost; makers see it')
    .option('--max-apr <percent>', 'the same as a rate a year; nobody sees it')
    .option('--taker <address>', 'the account that will take the quote')
    .option('--take', 'take the best quotes that pass the checks on-chain; needs --max-apr or --max-cost')
    .option('--no-proof', 'with --take: do not prove to the service that the account of the key asks')
    .option('--share-record', 'with --take: let makers with means see what the account owes, asks and takes, in steps')
    .option('--approve', 'with --take: give the allowance and the permission that are missing')
    .option('--one-by-one', 'with --take: a transaction for each permission and each take, where one would do')
    .addOption(rpc())
    .addOption(keyFile())
    .action(async (options) => (await import('./commands/rfq.ts')).rfq(context, options))

  service(program.command('pools').description('pools, their floating rates, series, best fixed rates and depth'))
    .option('--pool <pool>', 'one alone: id, unique prefix of it, number, or token symbol')
    .option(
      '--notional <amount>',
      'the size of best rates and depth, with --pool; default: 1 % of what a series can take',
    )
    .action(async (options) => (await import('./commands/pools.ts')).pools(context, options))

  service(
    program.command('rates').description('floating rates of the underlying lending markets, or the history of a pool'),
  )
    .addArgument(new Argument('[history]', 'what the rates of --pool have been').choices(['history']))
    .option('--pool <pool>', 'with history: id, unique prefix of it, number in `firmquote pools`, or token symbol')
    .option('--from <instant>', 'with history: the first hour; default: 365 days before the last one')
    .option('--to <instant>', 'with history: the last hour; default: the current one')
    .action(async (what, options) => (await import('./commands/rates.ts')).rates(context, what, options))

  service(program.command('quotes').description('published quotes that are still active'))
    .option('--maker <address>')
    .option('--taker <address>')
    .option('--pool <pool>', 'id, unique prefix of it, number in `firmquote pools`, or token symbol')
    .option('--series <key>', 'key or a unique prefix of it; with --pool')
    .option('--min <amount>', 'smallest size; with --pool')
    .option('--max <amount>', 'largest size; with --pool')
    .addOption(
      new Option(
        '--status <status>',
        "default: active; another is of one --maker's, with --limit and --cursor alone",
      ).choices(['active', 'filled', 'cancelled', 'nonce_raised', 'expired', 'all']),
    )
    .addOption(new Option('--sort <order>', 'default: created').choices(['rate', 'created', 'deadline']))
    .option('--limit <count>', '1 to 100, default 50')
    .option('--cursor <cursor>', 'the next page, as the page before names it')
    .action(async (options) => (await import('./commands/quotes.ts')).quotes(context, options))

  service(program.command('quote <hash>').description('one stored quote, active or not')).action(
    async (hash, options) => (await import('./commands/quote.ts')).quote(context, hash, options),
  )

  service(program.command('positions <address>').description("an account's debts and its fixed-rate positions"))
    .option('--all', 'the settled ones as well, newest first')
    .option('--limit <count>', '1 to 500, default 500')
    .option('--cursor <cursor>', 'the next page, as the page before names it')
    .action(async (address, options) => (await import('./commands/positions.ts')).positions(context, address, options))

  service(
    program
      .command('settle [positions...]')
      .description('settle positions that have expired, by their numbers, and withdraw what is credited to you'),
  )
    .option('--all', 'all of your positions that can be settled')
    .option('--keeper-bundler <address>', 'of the deployment; default: the published one')
    .addOption(rpc())
    .addOption(keyFile())
    .action(async (positions, options) => (await import('./commands/settle.ts')).settle(context, positions, options))

  service(program.command('health').description("the service's status")).action(async (options) =>
    (await import('./commands/health.ts')).health(context, options),
  )

  service(
    program.command('sign [file]').description('sign the terms of a quote: JSON from a file, or - for standard input'),
  )
    .addOption(keyFile())
    .action(async (file = '-', options) => (await import('./commands/sign.ts')).sign(context, file, options))

  service(program.command('cancel <hash>').description('cancel a quote on-chain, as its maker'))
    .addOption(rpc())
    .addOption(keyFile())
    .action(async (hash, options) => (await import('./commands/cancel.ts')).cancel(context, hash, options))

  program
    .command('daemon <method> [params]')
    .description('call the backer daemon on this machine; parameters are a JSON object')
    .option('--socket <path>', 'default: FIRMQUOTE_SOCKET, else /tmp/service.sock')
    .option('--json', 'one JSON document on one line')
    .action(async (method, params, options) =>
      (await import('./commands/daemon.ts')).daemon(context, method, params, options),
    )

  program
    .command('completion')
    .description('print the completion of commands and options for a shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action(async (shell) => (await import('./commands/completion.ts')).completion(context, shell, program))

  return program
}

function service(command: Command): Command {
  return command
    .option('--url <url>', 'the service; default: FIRMQUOTE_URL, else http://localhost:3005')
    .option('--json', 'JSON for machines; an auction gives one object a line')
    .option('--chain-id <id>', 'of the deployment; default: 8453')
    .option('--quote-market <address>', 'of the deployment; default: the published one')
    .option('--interest-rate-pool <address>', 'of the deployment; default: the published one')
}

function rpc(): Option {
  return new Option('--rpc <url>', 'JSON-RPC node of the chain; default: FIRMQUOTE_RPC_URL')
}

function keyFile(): Option {
  return new Option('--key-file <file>', 'private key, in a file of mode 0600; default: FIRMQUOTE_PRIVATE_KEY')
}
