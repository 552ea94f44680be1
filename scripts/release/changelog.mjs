import changelog from '@changesets/cli/changelog'
import { isFirstRelease } from './firstReleases.mjs'

/**
 * How changesets writes a CHANGELOG. All packages have one version, so that what only follows from another's needs no line. The text of a
 * first release is no list of changes.
 */
// biome-ignore lint/style/noDefaultExport: changesets takes it from a module's default export.
export default {
  /** @type {typeof changelog.getReleaseLine} */
  getReleaseLine: (changeset, type, options) =>
    isFirstRelease(changeset.id) ? changeset.summary : changelog.getReleaseLine(changeset, type, options),
  getDependencyReleaseLine: () => '',
}
