import type { DevnetAccount } from './devnetAccounts.ts'
import type { Devnet } from './startDevnet.ts'

function row(name: string, value: string): string {
  return `  ${name.padEnd(18)}${value}`
}

function accountRows(role: string, accounts: readonly DevnetAccount[]): string[] {
  return accounts.map(({ address, privateKey }, position) =>
    row(`${role} ${position + 1}`, `${address}  ${privateKey}`),
  )
}

function expiryRow({ expiry, seriesKey }: { expiry: number; seriesKey: string }): string {
  return row(`  ${new Date(expiry * 1000).toISOString().slice(0, 10)}`, seriesKey)
}

/** Describes a devnet for the user: its URL, contracts, pools, and accounts with their publicly known private keys. */
export function describeDevnet(devnet: Devnet): string {
  const { address, privateKey } = devnet.deployer
  return [
    `Firmquote devnet, chain ${devnet.chainId}`,
    '',
    row('RPC', devnet.rpcUrl),
    '',
    'Contracts',
    ...Object.entries(devnet.contracts).map(([name, contract]) => row(name, contract)),
    '',
    'Pools and series (by expiry, 00:00 UTC)',
    ...devnet.pools.flatMap(({ name, poolId, series }) => [row(name, poolId), ...series.map(expiryRow)]),
    '',
    'Accounts (the keys are public: never use them on another chain)',
    row('deployer', `${address}  ${privateKey}`),
    ...accountRows('backer', devnet.backers),
    ...accountRows('borrower', devnet.borrowers),
    ...accountRows('newcomer', devnet.newcomers),
    '',
    'Ctrl-C stops it.',
    '',
  ].join('\n')
}
