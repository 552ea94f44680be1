import changelog from '@changesets/cli/changelog'

/**
 * Formats the CHANGELOG for changesets. Dependency updates are omitted, since all packages share one version. A
 * package's introduction is not formatted as a list of changes.
 */
// biome-ignore lint/style/noDefaultExport: changesets requires a default export.
export default {
  /** @type {typeof changelog.getReleaseLine} */
  getReleaseLine: (changeset, type, options) =>
    changeset.id.startsWith('first-release-') ? changeset.summary : changelog.getReleaseLine(changeset, type, options),
  getDependencyReleaseLine: () => '',
}
