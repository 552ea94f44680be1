// Checks that a release meets its requirements, except for the owner's settings. Part of `npm run check`. The packages
// must be built.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { licenceOfBuild, licenceReports } from './licences/licenceReport.ts'
import { publishedPackages, root } from './release/publishedPackages.ts'
import { judgeReleaseConfig } from './release/releaseConfig.ts'
import { judgeManifest } from './release/releaseManifest.ts'
import { judgeFirstReleases, readChangesets } from './release/versions.ts'

/**
 * Licences of packages that contain third-party code outside the bundles, namely Morpho Blue's bytecode. See
 * THIRD_PARTY_LICENSES in its folder.
 */
const ownLicences = new Map([['@firmquote/devnet', 'MIT AND BUSL-1.1 AND GPL-2.0-or-later']])

const read = (file) => readFileSync(join(root, file), 'utf8')
const packages = publishedPackages()
const bundlers = globSync(['{packages,apps}/*/{tsup,vite}.config.ts', 'apps/*/.vitepress/config.ts'], { cwd: root })
const mistakes = [
  ...packages.flatMap(({ manifest }) => judgeManifest(manifest)),
  ...packages.flatMap(({ name, folder, manifest }) => {
    const expected = licenceOfBuild(ownLicences.get(name) ?? 'MIT', licenceReports(join(root, folder, 'dist')))
    return manifest.license === expected
      ? []
      : [`${name}: license must be "${expected}", the licence of its build's contents.`]
  }),
  ...bundlers
    .filter((file) => !/report(Page)?Licences\(/.test(read(file)))
    .map((file) => `${file} bundles a published build but does not use scripts/licences/reportLicences.ts.`),
  ...judgeFirstReleases(readChangesets(), packages),
  ...judgeReleaseConfig(JSON.parse(read('release.config.json')), false).map(
    (sentence) => `release.config.json: ${sentence}`,
  ),
]
for (const sentence of mistakes) console.log(sentence)
process.exitCode = mistakes.length === 0 ? 0 : 1
