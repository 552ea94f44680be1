import { join } from 'node:path'
import { root } from '../pack.ts'

/**
 * The pages of the documentation that have fenced blocks, below `apps/docs`, and the test or trial that runs or checks every
 * block of the page, below `tests/e2e/src`. A page without an entry fails `claimedBlocks.test.ts`.
 */
export const claimedBlocks: Readonly<Record<string, string>> = {
  // start/
  'start/borrower.md': 'strangers/borrower.browser.trial.ts',
  'start/dapp.md': 'strangers/dapp.trial.ts',
  'start/maker.md': 'strangers/maker.trial.ts',
  'start/operator.md': 'strangers/operator.browser.trial.ts',

  // guides/
  'guides/clusters.md': 'strangers/guides.trial.ts',
  'guides/finality.md': 'strangers/guides.trial.ts',
  'guides/hedging.md': 'strangers/guides.trial.ts',
  'guides/pricing.md': 'strangers/guides.trial.ts',
  'guides/security.md': 'strangers/guides.trial.ts',
  'guides/settlement.md': 'strangers/guides.trial.ts',

  // operate/
  'operate/tracing.md': 'docs/tracing.test.ts',
  'operate/watching.md': 'docs/watching.test.ts',

  // the rest
  'index.md': 'docs/pages.test.ts',
}

/** The files of the pages that a test claims; `file` as in {@link claimedBlocks}. */
export function pagesClaimedBy(file: string): string[] {
  return Object.entries(claimedBlocks).flatMap(([page, claimant]) =>
    claimant === file ? [join(root, 'apps/docs', page)] : [],
  )
}
