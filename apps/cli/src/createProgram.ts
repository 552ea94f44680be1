import { Argument, Command, Option } from 'commander'
import type { Context } from './context.ts'
import { exitCodes } from './exitCodes.ts'

const examples = `
Examples:
  firmquote pools
  firmquote rfq --pool 1 --expiry 2027-03-01 --notional 250k
  firmquote rfq --pool 0x… --expiry 2027-03-01 --notional 1.5m --max-apr 8 --take --approve --rpc http://127.0.0.1:8545
  firmquote quotes --pool 1 --sort rate --json

The private key comes from FIRMQUOTE_PRIVATE_KEY or --key-file (a file of mode 0600), never from the command line.

Exit codes: ${Object.entries(exitCodes)
  .map(([name, code]) => `${code} ${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`)
  .join(', ')}.`

/**
 * Defines the commands and their options. Each command is imported only when it runs, so that `--help` is fast.
 *
 * @param context passed to the command, and not used before the command runs.
 */
export function createProgram(context: Context, version: string): Command {
  const program = new Command('firmquote')
    .description('Fixed rates for variable-rate debt: request quotes, watch the auction, take the best quote.')
    .version(version)
    .addHelpText('after', examples)
    .exitOverride()

  service(program.command('rfq').description('run an auction and check its best quotes; take them with --take'))
    .requiredOption('--pool <pool>', 'id or unique prefix, number in `firmquote pools`, or token symbol')
    .requiredOption('--notional <amount>', 'amount of debt to fix: 250k, 1.5m, 250000.5')
    .option('--expiry <instant>', 'fixed until: 2027-03-01 (UTC), Unix seconds, 2027-03-01T12:00Z')
    .option('--until <instant>', 'latest end of the series that --expiry selects; with --take by default 7 days later')
    .option('--series <key>', 'an exact series instead of --expiry, by key or unique prefix')
    .option('--min-notional <amount>', 'minimum size of a quote; default: a tenth of --notional')
    .option('--max-cost <amount>', 'maximum cost; visible to makers')
    .option('--max-apr <percent>', 'maximum annual rate; not sent to anyone')
    .option('--taker <address>', 'account that will take the quote')
    .option('--take', 'take the best quotes that pass the on-chain checks; requires --max-apr or --max-cost')
    .option('--no-proof', "with --take: do not prove the key's account to the service")
    .option('--share-record', "with --take: show makers with funds the account's debts, requests and takes, in ranges")
    .option('--approve', 'with --take: grant the missing allowance and permission')
    .option('--one-by-one', 'with --take: send a separate transaction for each permission and each take')
    .addOption(rpc())
    .addOption(keyFile())
    .addOption(maxFee())
    .action(async (options) => (await import('./commands/rfq.ts')).rfq(context, options))

  service(
    program.command('pools').description('list pools with their floating rates, series, best fixed rates and depth'),
  )
    .option('--pool <pool>', 'a single pool: id or unique prefix, number, or token symbol')
    .option('--notional <amount>', 'size for best rates and depth, with --pool; default: 1 % of the remaining capacity')
    .action(async (options) => (await import('./commands/pools.ts')).pools(context, options))

  service(
    program
      .command('rates')
      .description('list floating rates of the underlying lending markets, or the rate history of a pool'),
  )
    .addArgument(new Argument('[history]', 'rate history of --pool').choices(['history']))
    .option('--pool <pool>', 'with history: id or unique prefix, number in `firmquote pools`, or token symbol')
    .option('--from <instant>', 'with history: first hour; default: 365 days before the last hour')
    .option('--to <instant>', 'with history: last hour; default: the current hour')
    .action(async (what, options) => (await import('./commands/rates.ts')).rates(context, what, options))

  service(program.command('quotes').description('list published quotes'))
    .option('--maker <address>')
    .option('--taker <address>')
    .option('--pool <pool>', 'id or unique prefix, number in `firmquote pools`, or token symbol')
    .option('--series <key>', 'key or unique prefix; with --pool')
    .option('--min <amount>', 'minimum size; with --pool')
    .option('--max <amount>', 'maximum size; with --pool')
    .addOption(
      new Option(
        '--status <status>',
        'default: active; others require --maker and allow only --limit and --cursor',
      ).choices(['active', 'filled', 'cancelled', 'nonce_raised', 'expired', 'all']),
    )
    .addOption(new Option('--sort <order>', 'default: created').choices(['rate', 'created', 'deadline']))
    .option('--limit <count>', '1 to 100, default 50')
    .option('--cursor <cursor>', 'cursor of the next page, as printed with the previous page')
    .action(async (options) => (await import('./commands/quotes.ts')).quotes(context, options))

  service(program.command('quote <hash>').description('show a stored quote, active or not')).action(
    async (hash, options) => (await import('./commands/quote.ts')).quote(context, hash, options),
  )

  service(program.command('positions <address>').description("show an account's debts and fixed-rate positions"))
    .option('--all', 'include settled positions, newest first')
    .option('--limit <count>', '1 to 500, default 500')
    .option('--cursor <cursor>', 'cursor of the next page, as printed with the previous page')
    .action(async (address, options) => (await import('./commands/positions.ts')).positions(context, address, options))

  service(
    program
      .command('settle [positions...]')
      .description('settle expired positions by number, and withdraw your credits'),
  )
    .option('--all', 'settle all of your expired positions')
    .option('--repay', 'repay your debt in the same lending markets with the payouts')
    .option('--lender <address>', 'the only lender that --repay may pay; default: the published Morpho Blue')
    .option('--keeper-bundler <address>', 'keeper bundler contract; default: the published one')
    .addOption(rpc())
    .addOption(keyFile())
    .addOption(maxFee())
    .action(async (positions, options) => (await import('./commands/settle.ts')).settle(context, positions, options))

  service(
    program
      .command('observe <position>')
      .description(
        "store the index of a position's series, by position number or series key, from a day before expiry",
      ),
  )
    .addOption(rpc())
    .addOption(keyFile())
    .addOption(maxFee())
    .action(async (position, options) => (await import('./commands/observe.ts')).observe(context, position, options))

  service(program.command('health').description("show the service's status")).action(async (options) =>
    (await import('./commands/health.ts')).health(context, options),
  )

  service(
    program.command('sign [file]').description('sign a quote, with terms as JSON from a file, or - for standard input'),
  )
    .addOption(keyFile())
    .action(async (file = '-', options) => (await import('./commands/sign.ts')).sign(context, file, options))

  service(program.command('cancel <hash>').description('cancel a quote on-chain, as its maker'))
    .addOption(rpc())
    .addOption(keyFile())
    .addOption(maxFee())
    .action(async (hash, options) => (await import('./commands/cancel.ts')).cancel(context, hash, options))

  service(program.command('proof <rfqId>').description("save the proof of a closed auction's result"))
    .option('--output <file>', 'default: auction-<public id>.json')
    .option('--timeout <seconds>', 'to wait until the log has the auction', '90')
    .action(async (rfqId, options) => (await import('./commands/proof.ts')).proof(context, rfqId, options))

  deployment(
    program
      .command('verify')
      .description('explain offline what a proof proves and what it does not')
      .argument('<file>', 'a proof, or - for standard input')
      .option('--policy <file>', "the keys that you trust: the log's, and of witnesses with a quorum, as JSON")
      .addOption(new Option('--rpc <url>', 'archive node that judges a refusal again, at its block'))
      .option('--quote <file>', 'with --rpc: the refused quote, signed, as JSON')
      .option('--json', 'print one JSON document on one line'),
  ).action(async (file, options) => (await import('./commands/verify.ts')).verify(context, file, options))

  program
    .command('monitor <url>')
    .description("follow a service's log of auctions, verify all of it, and raise alarms")
    .option('--policy <file>', "the keys that you trust: the log's, and of witnesses with a quorum, as JSON")
    .option('--state <file>', 'what the monitor has verified', 'monitor.json')
    .option('--proofs <folder>', "folder of the proofs that the monitor saves; default: the state file's")
    .option('--once', 'read the log once instead of following it')
    .option('--timeout <seconds>', 'for an answer, and with --once for missing cosignatures', '15')
    .option('--json', 'print JSON, one object per line')
    .action(async (url, options) => (await import('./commands/monitor.ts')).monitor(context, url, options))

  program
    .command('daemon <method> [params]')
    .description('call a method of the local backer daemon; parameters are a JSON object')
    .option('--socket <path>', 'socket of the daemon; default: FIRMQUOTE_SOCKET, else /tmp/service.sock')
    .option('--json', 'print one JSON document on one line')
    .action(async (method, params, options) =>
      (await import('./commands/daemon.ts')).daemon(context, method, params, options),
    )

  program
    .command('completion')
    .description('print the completion script for a shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action(async (shell) => (await import('./commands/completion.ts')).completion(context, shell, program))

  return program
}

function service(command: Command): Command {
  return deployment(
    command
      .option('--url <url>', 'URL of the service; default: FIRMQUOTE_URL, else http://localhost:3005')
      .option('--json', 'print JSON; for an auction, one object per line'),
  )
}

function deployment(command: Command): Command {
  return command
    .option('--chain-id <id>', 'chain ID of the deployment; default: 8453')
    .option('--quote-market <address>', 'quote market contract; default: the published one')
    .option('--interest-rate-pool <address>', 'interest-rate pool contract; default: the published one')
}

function rpc(): Option {
  return new Option('--rpc <url>', 'JSON-RPC URL of a chain node; default: FIRMQUOTE_RPC_URL')
}

function keyFile(): Option {
  return new Option('--key-file <file>', 'private key, in a file of mode 0600; default: FIRMQUOTE_PRIVATE_KEY')
}

function maxFee(): Option {
  return new Option('--max-fee <eth>', 'maximum gas fee of a transaction, in ETH').default('0.05')
}
