import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { publishedPackages, root } from './publishedPackages.ts'

/** A package's version before its first release. */
const unreleased = '0.0.0'

/**
 * Determines the next step for a commit on main: `version` if changesets are pending, `publish` if the version has no
 * tag, otherwise `nothing`.
 */
export function planRelease(state: { changesets: string[]; version: string; tags: string[] }) {
  if (state.changesets.length > 0) return 'version'
  return state.tags.includes(`v${state.version}`) ? 'nothing' : 'publish'
}

/** Reads the text of each pending changeset, by file name. */
export function readChangesets(): Record<string, string> {
  const folder = join(root, '.changeset')
  const files = readdirSync(folder).filter((file) => file.endsWith('.md') && file !== 'README.md')
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
}

/**
 * Checks that each unreleased package has exactly one changeset, `first-release-NAME.md`, which introduces only that
 * package.
 *
 * @returns one sentence per mistake
 */
export function judgeFirstReleases(
  changesets: Record<string, string>,
  packages: { name: string; version: string }[],
): string[] {
  const named = Object.entries(changesets).map(([file, text]) => ({
    file,
    names: [...text.matchAll(/^["'](@firmquote\/[^"']+)["']:/gm)].map(([, name]) => name),
  }))
  return packages
    .filter(({ version }) => version === unreleased)
    .flatMap(({ name }) => {
      const own = `first-release-${basename(name)}.md`
      const [first, ...others] = named.filter(({ names }) => names.includes(name))
      if (first?.file === own && first.names.length === 1 && others.length === 0) return []
      return [`${name} is unreleased: ${own} must introduce it alone, and no other changeset may name it.`]
    })
}

/**
 * Runs `changeset version`.
 *
 * @throws Error if an unreleased package has no such changeset
 */
export function versionPackages(): void {
  const before = publishedPackages()
  const mistakes = judgeFirstReleases(readChangesets(), before)
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'))
  execFileSync(join(root, 'node_modules/.bin/changeset'), ['version'], { cwd: root, stdio: 'inherit' })
  for (const { folder } of before.filter(({ version }) => version === unreleased))
    edit(join(folder, 'CHANGELOG.md'), (text) => text.replace('### Minor Changes\n\n', ''))
  // Browsers cannot read package.json.
  edit('packages/core/src/version.ts', (text) => text.replace(/'[^']+'$/m, `'${publishedPackages()[0]?.version}'`))
}

function edit(file: string, change: (text: string) => string): void {
  const path = join(root, file)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}
