import changelog from '@changesets/cli/changelog'

/**
 * Formats changesets' CHANGELOG. All packages share one version, so dependency updates need no line. The introduction
 * of a
 * package is not a list of changes.
 */
// biome-ignore lint/style/noDefaultExport: changesets requires a default export.
export default {
  /** @type {typeof changelog.getReleaseLine} */
  getReleaseLine: (changeset, type, options) =>
    changeset.id.startsWith('first-release-') ? changeset.summary : changelog.getReleaseLine(changeset, type, options),
  getDependencyReleaseLine: () => '',
}
