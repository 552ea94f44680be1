// Why: docs/decisions/0060-bundled-libraries-in-tests.md
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
// Mutation tests run in a temporary copy that links to the libraries. Cached paths must not refer to that temporary
// copy.
const cache = join(realpathSync(join(root, 'node_modules')), '.cache')

/**
 * Libraries consisting of hundreds of small modules. Without bundles, each test file or program that imports a library
 * would load its modules one at a time.
 */
const libraries = {
  'apps/server': ['kysely', 'kysely/migration', 'viem', 'viem/accounts', 'viem/actions', 'viem/chains', 'viem/utils'],
  'packages/core': ['zod', 'zod/mini'],
}

/**
 * Bundles each of these libraries into a few files, once per lockfile version. `bundled.json` in the output folder maps
 * each file that Node resolves for an import to the bundle with the same content.
 *
 * @returns the output folder.
 */
export async function bundleLibraries() {
  const state = [join(root, 'pnpm-lock.yaml'), fileURLToPath(import.meta.url)].map((file) => readFileSync(file))
  const hash = createHash('sha256').update(Buffer.concat(state)).digest('hex').slice(0, 16)
  const folder = join(cache, `firmquote-libraries-${hash}`)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const made = mkdtempSync(`${folder}-`)
  const bundled = await Promise.all(Object.entries(libraries).map(([user, names]) => bundle(user, names, made)))
  const entries = bundled.flat().map(([from, name]) => [from, join(folder, name)])
  writeFileSync(join(made, 'bundled.json'), JSON.stringify(Object.fromEntries(entries)))
  try {
    renameSync(made, folder)
  } catch (error) {
    // Another run already created the same bundle.
    rmSync(made, { recursive: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

/** Bundles these imports of `user`. Shared modules are bundled only once, to keep one copy of each class. */
async function bundle(user, names, folder) {
  const { metafile } = await build({
    entryPoints: names.map((name) => ({ in: name, out: name.replaceAll('/', '-') })),
    absWorkingDir: join(root, user),
    outdir: folder,
    bundle: true,
    splitting: true,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // esbuild must resolve the same files as Node.
    conditions: [],
    outExtension: { '.js': '.mjs' },
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  })
  const outputs = Object.entries(metafile.outputs).map(([file, { entryPoint }]) => [basename(file, '.mjs'), entryPoint])
  return names.map((name) => {
    const output = name.replaceAll('/', '-')
    return [resolve(root, user, outputs.find(([file]) => file === output)[1]), `${output}.mjs`]
  })
}
