import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type Manifest, publishedPackages, root } from './publishedPackages.ts'

/** A package's entry points, or the docs site. All paths are absolute. */
type Build = { name: string; folder: string; outputs: string[]; sources: string[]; command: string }

/** Checks that the published packages and the docs site are built. Returns one sentence per mistake. */
export function judgeBuilds(): string[] {
  return [...publishedPackages().map(buildOf), docsSite()].flatMap(judgeBuild)
}

/** Checks that all outputs exist and are newer than the sources. Returns one sentence per mistake. */
export function judgeBuild({ name, folder, outputs, sources, command }: Build): string[] {
  const missing = outputs.find((file) => !existsSync(file))
  if (missing) return [`${name} is not built: ${relative(root, missing)} is missing. Run \`${command}\`.`]
  const built = Math.min(...outputs.map(timeOf))
  const newer = sources.find((file) => timeOf(file) > built)
  if (!newer) return []
  // A build from the cache does not touch files that exist.
  const remedy = `Delete ${relative(root, folder)} and run \`${command}\`.`
  return [`${name} was built before ${relative(root, newer)} changed. ${remedy}`]
}

function timeOf(file: string): number {
  return statSync(file).mtimeMs
}

function buildOf({ name, folder, manifest }: { name: string; folder: string; manifest: Manifest }): Build {
  const place = join(root, folder)
  const paths = pathsIn([manifest['bin'], manifest['exports']]).filter((path) => path.startsWith('./dist/'))
  const sources = [folder, ...bundledFolders(manifest)].flatMap((one) =>
    filesIn(join(root, one, 'src'), '**/*.{ts,tsx}'),
  )
  return {
    ...{ name, folder: join(place, 'dist'), outputs: paths.map((path) => join(place, path)), command: 'npm run build' },
    sources: sources.filter((file) => !/\.(?:test|trial)\.tsx?$/.test(file)),
  }
}

/** All paths in the values of package.json's `bin` or `exports`. */
function pathsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(pathsIn) : []
}

/** The folders of private packages that a build may bundle. */
function bundledFolders({ devDependencies = {} }: Manifest): string[] {
  return globSync('{packages,apps}/*/package.json', { cwd: root })
    .map((file) => ({ folder: dirname(file), ...(JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest) }))
    .filter((one) => one.private && Object.hasOwn(devDependencies as object, one.name))
    .map(({ folder }) => folder)
}

function docsSite(): Build {
  const folder = join(root, 'apps/server/dist/learn')
  const pages = ['docs', 'apps/docs/start', 'apps/docs/guides', 'apps/docs/operate', 'apps/docs/src']
  const sources = pages.flatMap((one) => filesIn(join(root, one), '**/*.{md,ts}'))
  return { name: 'The docs site', folder, outputs: [join(folder, 'assets')], sources, command: 'npm run docs' }
}

function filesIn(folder: string, pattern: string): string[] {
  return globSync(pattern, { cwd: folder }).map((file) => join(folder, file))
}
