import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository. */
export const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A package of this repository that is published. */
export type PublishedPackage = {
  name: string
  /** Its folder. */
  folder: string
  /** ES modules alone: for Node, or for bundlers. */
  esmOnly: boolean
  /** Programs alone: there is nothing to import. */
  isProgram: boolean
}

/** Every package that is published. */
export function publishedPackages(): PublishedPackage[] {
  return ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent)).flatMap((entry) => {
      const folder = join(root, parent, entry)
      const { name, private: hidden, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      if (hidden) return []
      const main = exports['.']
      return [{ name, folder, esmOnly: main?.require === undefined, isProgram: main === undefined }]
    }),
  )
}

/** Packs a package as it would be published, and gives the tarball's path. The package must be built. */
export function pack({ name, folder }: PublishedPackage, destination: string): string {
  const before = new Set(readdirSync(destination))
  execFileSync(join(root, 'node_modules/.bin/pnpm'), ['pack', '--pack-destination', destination], {
    cwd: folder,
    stdio: 'pipe',
  })
  const tarball = readdirSync(destination).find((file) => !before.has(file))
  if (tarball === undefined) throw new TypeError(`pnpm pack wrote nothing for ${name}`)
  return join(destination, tarball)
}
