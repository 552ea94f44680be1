import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's root folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Fields of package.json that are used here. */
export type Manifest = {
  name: string
  version: string
  private?: boolean
  description?: string | undefined
  keywords?: string[] | undefined
  license?: string
  engines?: { node?: string }
  files?: string[]
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  publishConfig?: { access?: string; provenance?: boolean }
  [other: string]: unknown
}

/** A published package. `folder` is its path relative to the root, with forward slashes. */
export type PublishedPackage = { name: string; version: string; folder: string; manifest: Manifest }

/** Lists the repository's published packages. */
export function publishedPackages(): PublishedPackage[] {
  return globSync('{packages,apps}/*/package.json', { cwd: root })
    .sort()
    .map((file) => ({
      folder: dirname(file),
      manifest: JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest,
    }))
    .filter(({ manifest }) => !manifest.private)
    .map(({ folder, manifest }) => ({ name: manifest.name, version: manifest.version, folder, manifest }))
}
