import { parseArgs } from 'node:util'
import { type Address, isAddress } from 'viem'
import type { DevnetOptions } from './startDevnet.ts'

/** The parsed command line. `message` is shown to the user. */
export type CliRequest =
  | { readonly kind: 'start'; readonly options: DevnetOptions }
  | { readonly kind: 'fund'; readonly rpcUrl: string; readonly address: Address }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistake'; readonly message: string }

export const usage = `firmquote-devnet: a local chain with the Firmquote reference contracts. For development only.

firmquote-devnet                  start the chain
firmquote-devnet fund <address>   on a running devnet, set an account's balance to 10 ether and mint it 1,000,000 tUSD

Options
  --port <number>        JSON-RPC port on 127.0.0.1 (default 8545; 0 picks a free one)
  --chain-id <number>    chain id (default 8453)
  --block-time <seconds> seconds between blocks (default 2; 0 mines blocks only for transactions)
  --help                 show this text
`

/** Parses command-line arguments. Returns mistakes instead of throwing. */
export function parseCliOptions(args: readonly string[]): CliRequest {
  let values: Partial<Record<'port' | 'chain-id' | 'block-time', string> & { help: boolean }>
  let positionals: string[]
  try {
    ;({ values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        'chain-id': { type: 'string' },
        'block-time': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }))
  } catch (error) {
    return { kind: 'mistake', message: error instanceof Error ? error.message : String(error) }
  }
  if (values.help) return { kind: 'help' }

  for (const name of ['port', 'chain-id', 'block-time'] as const) {
    const text = values[name]
    if (text !== undefined && !/^\d{1,15}$/.test(text)) {
      return { kind: 'mistake', message: `--${name} must be an integer, not '${text}'.` }
    }
  }
  const { port = '8545', 'chain-id': chainId = '8453', 'block-time': blockTime = '2' } = values
  const [command, address = '', ...rest] = positionals
  if (command === 'fund' && rest.length === 0) {
    if (isAddress(address)) return { kind: 'fund', rpcUrl: `http://127.0.0.1:${port}`, address }
    return { kind: 'mistake', message: `fund needs an address, not '${address}'.` }
  }
  if (command !== undefined) return { kind: 'mistake', message: `Unknown command '${positionals.join(' ')}'.` }
  const options = { port: Number(port), chainId: Number(chainId) }
  return { kind: 'start', options: Number(blockTime) === 0 ? options : { ...options, blockTime: Number(blockTime) } }
}
