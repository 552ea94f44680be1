import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Page, parsePage } from './page.ts'
import { type Places, relinked } from './relinked.ts'

/** The files of the repository that are pages of the site as they stand, in the order of its lists. */
const files: readonly (readonly [file: string, page: string, description: string])[] = [
  [
    'docs/protocol.md',
    'reference/protocol.md',
    'What travels between borrower, service, market maker and chain, to the last byte, with test vectors.',
  ],
  ['packages/sdk/ERRORS.md', 'reference/errors-sdk.md', 'What the SDK throws, and what each error has.'],
  ['packages/core/ERRORS.md', 'reference/errors-core.md', 'What every error of the packages has in common.'],
  [
    'docs/operating.md',
    'operate/operating.md',
    'Sizing, backup, restore, upgrade and roll back, on one machine or on many.',
  ],
  ['docs/scaling.md', 'operate/scaling.md', 'How a cluster grows, and what was measured.'],
  [
    'packages/sdk/README.md',
    'packages/sdk.md',
    'Ask for quotes, check them and take one; or answer as a market maker, in code.',
  ],
  ['packages/react/README.md', 'packages/react.md', 'The SDK as hooks for React and wagmi.'],
  ['packages/core/README.md', 'packages/core.md', 'Hashing, shapes, judges and rates.'],
  ['packages/addresses/README.md', 'packages/addresses.md', 'Addresses of the contracts.'],
  ['packages/devnet/README.md', 'packages/devnet.md', 'A local chain with the contracts, started by one call.'],
  ['apps/cli/README.md', 'packages/cli.md', 'The same from a terminal.'],
  ['apps/daemon/README.md', 'packages/daemon.md', 'A market maker that runs by itself.'],
  ['apps/server/README.md', 'packages/server.md', 'The service: settings, endpoints, socket, metrics.'],
  ['apps/web/README.md', 'packages/web.md', "The service's page for borrowers."],
]

/** Where the site has each of them. */
export const repositoryPaths: ReadonlyMap<string, string> = new Map(files.map(([file, page]) => [file, page]))

/** These pages. */
export function repositoryPages(root: string, repository: string | null): Page[] {
  const places: Places = { pages: repositoryPaths, repository }
  return files.map(([file, path, description], order) => {
    const text = relinked(file, readFileSync(join(root, file), 'utf8'), places)
    return { ...parsePage(path, text), description, order: 100 + order }
  })
}
