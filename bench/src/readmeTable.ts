const begin = '<!-- bench: begin -->'
const end = '<!-- bench: end -->'

/**
 * Puts a table between the markers of a README, in place of what stands there.
 *
 * @throws {TypeError} when the markers are not there, once each and in order.
 */
export function replaceBetweenMarkers(readme: string, table: string): string {
  const [before, rest, ...more] = readme.split(begin)
  const [old, after, ...others] = rest?.split(end) ?? []
  if (old === undefined || after === undefined || more.length > 0 || others.length > 0) {
    throw new TypeError(`The README needs ${begin} and ${end}, once each.`)
  }
  return `${before}${begin}\n${table.trim()}\n${end}${after}`
}
