import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** The version of a package that was never released. */
export const unreleased = '0.0.0'

/**
 * Whether a changeset is the text of a first release, by its name.
 *
 * @param {string} id
 */
export function isFirstRelease(id) {
  return id.startsWith('first-release-')
}

/**
 * What keeps the first release of packages from having a text that says what each does: a package that was never released has one changeset,
 * `first-release-NAME.md`, which is about nothing else.
 *
 * @param {string} folder the folder of the changesets
 * @param {{ name: string, version: string }[]} packages
 * @returns {string[]} a sentence for each mistake
 */
export function judgeFirstReleases(folder, packages) {
  const changesets = readdirSync(folder)
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => ({ file, names: packagesOf(readFileSync(join(folder, file), 'utf8')) }))
  return packages
    .filter(({ version }) => version === unreleased)
    .flatMap(({ name }) => {
      const own = `first-release-${basename(name)}.md`
      const about = changesets.filter(({ names }) => names.includes(name))
      return [
        ...(about.some(({ file, names }) => file === own && names.length === 1)
          ? []
          : [`${name} was never released: ${own} must say what it does, and be about nothing else.`]),
        ...about
          .filter(({ file }) => file !== own)
          .map(({ file }) => `${name} was never released: what ${file} says of it belongs into ${own}.`),
      ]
    })
}

/** @param {string} changeset */
function packagesOf(changeset) {
  const [, head = ''] = /^---\n(.*?)^---$/ms.exec(changeset) ?? []
  return [...head.matchAll(/^["']?([^"':]+)["']?:/gm)].map(([, name = '']) => name)
}
