import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Page, parsePage } from './page.ts'
import { relinked } from './relinked.ts'

/** A repository file that is published unchanged as a page. */
type RepositoryFile = { file: string; path: string; description: string }

/** The path and description of each file on the site, in sidebar order. */
const listed: readonly (readonly [file: string, path: string, description: string])[] = [
  [
    'docs/protocol.md',
    'reference/protocol.md',
    'The messages and data exchanged by borrowers, market makers, the service and the chain, with test vectors.',
  ],
  ['docs/clients.md', 'reference/clients.md', 'Rules for retries, choosing quotes and reconnecting.'],
  ['docs/contracts.md', 'reference/contracts.md', "The contracts' functions, events and payouts."],
  ['packages/sdk/ERRORS.md', 'reference/errors-sdk.md', 'The errors that the SDK throws and their properties.'],
  ['packages/core/ERRORS.md', 'reference/errors-core.md', "What all of the packages' errors have in common."],
  ['docs/api.md', 'reference/api.md', 'How to use the HTTP API: auctions, published quotes, rates and positions.'],
  [
    'docs/operating.md',
    'operate/operating.md',
    'One instance or several, sizing, storage, chain sync, shutdown, limits and logs.',
  ],
  ['docs/deploying.md', 'operate/deploying.md', 'Docker, systemd and reverse proxies.'],
  ['docs/settings.md', 'operate/settings.md', "The server's settings and their defaults."],
  ['docs/metrics.md', 'operate/metrics.md', 'Health, probes and every Prometheus metric.'],
  ['docs/backup.md', 'operate/backup.md', 'Backup, restore and point-in-time recovery.'],
  ['docs/upgrading.md', 'operate/upgrading.md', 'Upgrades, rollbacks, and migration from SQLite to PostgreSQL.'],
  ['docs/outages.md', 'operate/outages.md', 'The symptoms of each outage and what to do.'],
  ['docs/scaling.md', 'operate/scaling.md', 'Measured and estimated costs of a growing cluster.'],
  ['docs/web-app.md', 'operate/web-app.md', "The web app's content security policy, wallets and devnet relay."],
  ['packages/sdk/README.md', 'packages/sdk.md', 'TypeScript client for borrowers and market makers.'],
  [
    'docs/sdk-taking.md',
    'packages/sdk-taking.md',
    'Auctions, takes, permissions, settlement and errors for borrowers.',
  ],
  ['docs/sdk-making.md', 'packages/sdk-making.md', 'Quotes, status updates, reconnects and signers for market makers.'],
  ['packages/react/README.md', 'packages/react.md', 'React hooks for auctions and takes, based on wagmi.'],
  ['packages/core/README.md', 'packages/core.md', 'Quote hashing, validation, selection and rate conversions.'],
  ['packages/verify/README.md', 'packages/verify.md', 'Verifying proofs of auctions offline.'],
  ['packages/addresses/README.md', 'packages/addresses.md', 'The addresses of the contracts.'],
  ['packages/devnet/README.md', 'packages/devnet.md', 'A local chain with the contracts and funded accounts.'],
  ['apps/cli/README.md', 'packages/cli.md', 'Auctions, takes, rates and positions from a terminal.'],
  ['docs/cli.md', 'packages/cli-reference.md', 'Options, output formats, exit codes and settlement in the CLI.'],
  ['apps/daemon/README.md', 'packages/daemon.md', 'A market maker that needs no code.'],
  ['docs/daemon-configuration.md', 'packages/daemon-configuration.md', "The daemon's settings."],
  ['docs/daemon-deploying.md', 'packages/daemon-deploying.md', 'Running the daemon with systemd or Docker.'],
  [
    'docs/daemon-pricing.md',
    'packages/daemon-pricing.md',
    'The pricing formula, reasons to decline, and using your own pricer.',
  ],
  ['docs/daemon-fills.md', 'packages/daemon-fills.md', 'The hook for fills: input, retries and guarantees.'],
  [
    'docs/daemon-operating.md',
    'packages/daemon-operating.md',
    'Safety, keeper, metrics, alerts, traces and the report.',
  ],
  ['docs/daemon-socket.md', 'packages/daemon-socket.md', "The daemon's JSON-RPC methods and error codes."],
  ['apps/server/README.md', 'packages/server.md', 'The service: first steps, basic settings and endpoints.'],
  ['apps/demo/README.md', 'packages/demo.md', 'Chain, server and market makers on one machine.'],
  ['apps/web/README.md', 'packages/web.md', 'The web app for borrowers.'],
]

/** All published files: the files listed above and the examples' READMEs. */
export function filesOfRepository(root: string): RepositoryFile[] {
  const examples = globSync('examples/*/README.md', { cwd: root }).sort()
  return [
    ...listed.map(([file, path, description]) => ({ file, path, description })),
    ...examples.map((file) => ({ file, path: file.replace('/README.md', '.md'), description: '' })),
  ]
}

/** Pages for these files. Links point to other pages or, if the repository's URL is set, to the repository. */
export function repositoryPages(root: string, repository: string | null): Page[] {
  const files = filesOfRepository(root)
  const places = { pages: new Map(files.map(({ file, path }) => [file, path])), repository }
  return files.map(({ file, path, description }, index) => {
    const page = parsePage(path, relinked(file, readFileSync(join(root, file), 'utf8'), places))
    return { ...page, description: description || page.description, order: 100 + index }
  })
}
