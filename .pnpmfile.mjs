/** The export condition of the sources, which are not published. */
const source = '@firmquote/source'

/** @param {unknown} conditions */
function withoutSource(conditions) {
  if (typeof conditions !== 'object' || conditions === null) return conditions
  const kept = Object.entries(conditions).filter(([name]) => name !== source)
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutSource(inner)]))
}

export const hooks = {
  /** @param {{ exports?: unknown, imports?: unknown }} manifest the tarball's */
  beforePacking(manifest) {
    for (const field of ['exports', 'imports']) if (manifest[field]) manifest[field] = withoutSource(manifest[field])
    return manifest
  },
}
