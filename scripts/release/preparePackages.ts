import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { absoluteLinks } from './absoluteLinks.ts'
import { publishedPackages, root } from './publishedPackages.ts'
import type { ReleaseConfig } from './releaseConfig.ts'
import { judgeManifest, releaseManifest } from './releaseManifest.ts'

/** A tarball to publish. `integrity` is its SHA-512 in the registry's format, `sha512-` followed by base64. */
export type PreparedPackage = { name: string; version: string; file: string; integrity: string }

/**
 * Prepares a release of the built packages. `packages/` is a workspace for `pnpm --recursive publish`, `release.json`
 * lists the tarballs in dependency order, and `notes.md` contains the release notes. The output is reproducible.
 *
 * @param out a folder that is empty or does not exist
 * @throws Error if a package lacks metadata, or the folder is not empty
 */
export function preparePackages(out: string, config: ReleaseConfig): PreparedPackage[] {
  const published = publishedPackages()
  const mistakes = published.flatMap(({ manifest }) => judgeManifest(manifest))
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'))
  mkdirSync(out, { recursive: true })
  if (readdirSync(out).length > 0) throw new Error(`${out} is not empty.`)
  const workspace = join(out, 'packages')
  const temporary = mkdtempSync(join(tmpdir(), 'firmquote-release-'))
  try {
    for (const { name, filename } of packPublished(temporary)) {
      const content = join(workspace, basename(name))
      mkdirSync(content, { recursive: true })
      execFileSync('tar', ['-xzf', filename, '--strip-components=1', '-C', content])
      const folder = published.find((one) => one.name === name)?.folder ?? ''
      complete(content, config, folder)
    }
  } finally {
    rmSync(temporary, { recursive: true })
  }
  // pnpm orders packages by the workspace dependencies that it would link.
  writeFileSync(join(workspace, 'pnpm-workspace.yaml'), "packages: ['*']\nlinkWorkspacePackages: true\n")
  const prepared = pack(workspace, out).map(({ name, version, filename, integrity }) => ({
    ...{ name, version, file: basename(filename), integrity },
  }))
  writeFileSync(join(out, 'release.json'), `${JSON.stringify(prepared, null, 2)}\n`)
  const notes = published
    .map((one) => ({ ...one, changelog: join(root, one.folder, 'CHANGELOG.md') }))
    .filter(({ changelog }) => existsSync(changelog))
    .map((one) => notesOf(one, readFileSync(one.changelog, 'utf8')))
  writeFileSync(join(out, 'notes.md'), notes.join(''))
  return prepared
}

/** Adds metadata to a package's contents and makes its links absolute. */
function complete(content: string, config: ReleaseConfig, folder: string): void {
  const file = join(content, 'package.json')
  const manifest = releaseManifest(JSON.parse(readFileSync(file, 'utf8')), config, folder)
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
  const place = { root, folder, repository: config.repository, docs: config.docs, ref: `v${manifest.version}` }
  for (const name of readdirSync(content).filter((name) => name.endsWith('.md'))) {
    const document = join(content, name)
    writeFileSync(document, absoluteLinks(readFileSync(document, 'utf8'), place))
  }
}

type PackedPackage = { name: string; version: string; filename: string; integrity: string }

/** Packs every published package in the built repository, in dependency order. */
export function packPublished(destination: string): PackedPackage[] {
  const filters = publishedPackages().flatMap(({ name }) => ['--filter', name])
  return pack(root, destination, filters)
}

/** Packs a workspace's packages in dependency order. */
function pack(workspace: string, destination: string, filters: string[] = []): PackedPackage[] {
  const args = ['--recursive', ...filters, 'pack', '--json', '--pack-destination', resolve(destination)]
  return JSON.parse(execFileSync(join(root, 'node_modules/.bin/pnpm'), args, { cwd: workspace, encoding: 'utf8' }))
}

/** A package's release notes, taken from its CHANGELOG's section for this version. */
export function notesOf({ name, version }: { name: string; version: string }, changelog: string): string {
  const section = changelog.split(/^## /m).find((text) => text.startsWith(`${version}\n`))
  const text = section?.slice(version.length).trim()
  return text ? `## ${name}\n\n${text}\n\n` : ''
}
