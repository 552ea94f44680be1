// What a release needs and `release.config.json` does not have: part of `npm run check`. The packages must be built.
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { licenceOfBuild, licenceReports } from './licences/licenceReport.ts'
import { judgeFirstReleases } from './release/firstReleases.mjs'
import { publishedPackages, root } from './release/publishedPackages.mjs'
import { judgeReleaseConfig } from './release/releaseConfig.mjs'
import { judgeManifest } from './release/releaseManifest.mjs'
import { missingInSbom, writeSboms } from './release/writeSboms.mjs'

/** Code of others that no bundler puts into a build: the bytecode of Morpho Blue, see its THIRD_PARTY_LICENSES. */
const ownLicences = new Map([['@firmquote/devnet', 'MIT AND BUSL-1.1 AND GPL-2.0-or-later']])

const packages = publishedPackages()
const config = JSON.parse(readFileSync(join(root, 'release.config.json'), 'utf8'))
const mistakes = [
  ...packages.flatMap(({ manifest }) => judgeManifest(manifest)),
  ...packages.flatMap(({ name, folder, manifest }) => {
    const expected = licenceOfBuild(ownLicences.get(name) ?? 'MIT', licenceReports(join(root, folder, 'dist')))
    return manifest.license === expected
      ? []
      : [`${name}: license must be "${expected}", which is what its build contains.`]
  }),
  ...bundlers()
    .filter((file) => !/report(Page)?Licences\(/.test(readFileSync(join(root, file), 'utf8')))
    .map(
      (file) =>
        `${file} makes a build that is published, and does not report its licences (scripts/licences/reportLicences.ts).`,
    ),
  ...judgeFirstReleases(join(root, '.changeset'), packages),
  // Nothing need be set before there is a release, but what is set must be right.
  ...judgeReleaseConfig(config)
    .filter((sentence) => !sentence.includes(': is not set;'))
    .map((sentence) => `release.config.json: ${sentence}`),
  ...judgeSboms(),
]
for (const sentence of mistakes) console.log(sentence)
process.exitCode = mistakes.length === 0 ? 0 : 1

/** The settings of every bundler whose output is in a tarball. */
function bundlers() {
  return globSync(['{packages,apps}/*/{tsup,vite}.config.ts', 'apps/*/.vitepress/config.{ts,mts}'], { cwd: root })
}

function judgeSboms() {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-sbom-'))
  try {
    const sboms = writeSboms(folder)
    const without = packages.filter(({ name }) => !sboms.some((one) => one.name === name))
    return [
      ...without.map(({ name }) => `${name} has no bill of materials.`),
      ...sboms.flatMap((one) =>
        missingInSbom(one.sbom, join(root, one.folder)).map(
          (label) => `The bill of materials of ${one.name} lacks ${label}.`,
        ),
      ),
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}
