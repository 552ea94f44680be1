import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { judgeFirstReleases, unreleased } from './firstReleases.mjs'
import { publishedPackages, root } from './publishedPackages.mjs'

/**
 * Gives all packages their next version and CHANGELOG, from the pending changesets, which are used up.
 *
 * @throws Error if the first release of a package would have no text of its own
 */
export function versionPackages() {
  const before = publishedPackages()
  const mistakes = judgeFirstReleases(join(root, '.changeset'), before)
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'))
  execFileSync(join(root, 'node_modules/.bin/changeset'), ['version'], { cwd: root, stdio: 'inherit' })
  const after = publishedPackages()
  for (const { folder } of before.filter(({ version }) => version === unreleased)) {
    edit(join(folder, 'CHANGELOG.md'), (text) => text.replace('### Minor Changes\n\n', ''))
  }
  const core = after.find(({ name }) => name === '@firmquote/core')
  // Browsers cannot read package.json.
  edit('packages/core/src/version.ts', (text) => text.replace(/'[^']+'$/m, `'${core?.version}'`))
}

/**
 * @param {string} file
 * @param {(text: string) => string} change
 */
function edit(file, change) {
  const path = join(root, file)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}
