import changelog from '@changesets/cli/changelog'

/**
 * How changesets writes a CHANGELOG. All packages have one version, so a dependency's new version needs no line. The introduction of a
 * package is not a list of changes.
 */
// biome-ignore lint/style/noDefaultExport: changesets reads a module's default export.
export default {
  /** @type {typeof changelog.getReleaseLine} */
  getReleaseLine: (changeset, type, options) =>
    changeset.id.startsWith('first-release-') ? changeset.summary : changelog.getReleaseLine(changeset, type, options),
  getDependencyReleaseLine: () => '',
}
