/**
 * What is to be done for what is on the main branch.
 *
 * - `version`: changesets are pending, so the next version is proposed
 * - `publish`: the version has no tag yet, so it is published
 * - `nothing`: it has been released
 *
 * @param {object} state
 * @param {string[]} state.changesets the files of pending changesets
 * @param {string[]} state.versions the versions of the published packages
 * @param {string[]} state.tags the tags of the repository
 * @returns {{ next: 'version' | 'publish' | 'nothing', version: string }}
 * @throws Error if the packages differ in their versions
 */
export function planRelease({ changesets, versions, tags }) {
  const [version = '', ...others] = new Set(versions)
  if (others.length > 0)
    throw new Error(`All packages have one version, and here are ${[version, ...others].join(', ')}.`)
  if (changesets.length > 0) return { next: 'version', version }
  return { next: tags.includes(`v${version}`) ? 'nothing' : 'publish', version }
}
