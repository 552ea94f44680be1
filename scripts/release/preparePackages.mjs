import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { absoluteLinks } from './absoluteLinks.mjs'
import { integrityOf } from './integrityOf.mjs'
import { publishedPackages, root } from './publishedPackages.mjs'
import { judgeManifest, releaseManifest } from './releaseManifest.mjs'
import { releaseNotes } from './releaseNotes.mjs'

/**
 * A tarball that is ready to be published. `integrity` is its SHA-512 as registries write it, `sha512-` and base64.
 *
 * @typedef {{ name: string, version: string, file: string, integrity: string }} PreparedPackage
 */

/**
 * Packs every published package, as it is built, with the metadata of a release, writes `release.json`, which names the tarballs
 * in the order in which they are published, and `notes.md`, the text of the release. The same sources and settings give the same bytes.
 *
 * @param {string} out a folder that is empty or does not exist
 * @param {import('./releaseConfig.mjs').ReleaseConfig} config
 * @returns {PreparedPackage[]}
 * @throws Error for a package that lacks metadata, and for a folder that is not empty
 */
export function preparePackages(out, config) {
  const packages = publishedPackages()
  const mistakes = packages.flatMap(({ manifest }) => judgeManifest(manifest))
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'))
  mkdirSync(out, { recursive: true })
  if (readdirSync(out).length > 0) throw new Error(`${out} is not empty.`)
  const prepared = packages.map((one) => preparePackage(one, out, config))
  writeFileSync(join(out, 'release.json'), `${JSON.stringify(prepared, null, 2)}\n`)
  writeFileSync(join(out, 'notes.md'), releaseNotes(packages[0]?.version ?? '', packages.map(readChangelog)))
  return prepared
}

/** @param {import('./publishedPackages.mjs').PublishedPackage} published */
function readChangelog({ name, folder }) {
  const file = join(root, folder, 'CHANGELOG.md')
  return { name, changelog: existsSync(file) ? readFileSync(file, 'utf8') : '' }
}

/**
 * @param {import('./publishedPackages.mjs').PublishedPackage} published
 * @param {string} out
 * @param {import('./releaseConfig.mjs').ReleaseConfig} config
 * @returns {PreparedPackage}
 */
function preparePackage({ name, version, folder }, out, config) {
  const temporary = mkdtempSync(join(tmpdir(), 'firmquote-release-'))
  try {
    const packed = pack(join(root, folder), temporary)
    execFileSync('tar', ['-xzf', packed, '-C', temporary])
    const content = join(temporary, 'package')
    const manifestFile = join(content, 'package.json')
    const manifest = releaseManifest(JSON.parse(readFileSync(manifestFile, 'utf8')), config, folder)
    writeFileSync(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`)
    const place = { root, folder, repository: config.repository, docs: config.docs, ref: `v${version}` }
    for (const file of readdirSync(content).filter((name) => name.endsWith('.md'))) {
      const path = join(content, file)
      writeFileSync(path, absoluteLinks(readFileSync(path, 'utf8'), place))
    }
    const file = pack(content, out)
    return { name, version, file: basename(file), integrity: integrityOf(readFileSync(file)) }
  } finally {
    rmSync(temporary, { recursive: true })
  }
}

/**
 * Packs a folder; gives the tarball's path.
 *
 * @param {string} folder
 * @param {string} destination
 * @returns {string}
 */
export function pack(folder, destination) {
  const output = execFileSync(
    join(root, 'node_modules/.bin/pnpm'),
    ['pack', '--json', '--pack-destination', destination],
    {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  return JSON.parse(output).filename
}
