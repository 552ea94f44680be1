/**
 * The text of a release: what each CHANGELOG says of its version, by package.
 *
 * @param {string} version
 * @param {{ name: string, changelog: string }[]} packages
 * @returns {string}
 */
export function releaseNotes(version, packages) {
  const parts = packages.flatMap(({ name, changelog }) => {
    const section = changelog.split(/^## /m).find((text) => text.startsWith(`${version}\n`))
    const text = section?.slice(version.length).trim()
    return text ? [`## ${name}\n\n${text}\n`] : []
  })
  return parts.join('\n')
}
