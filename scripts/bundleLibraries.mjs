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
// A copy of the repository that mutation testing makes links to the libraries, and goes: what is kept must not name it.
const cache = join(realpathSync(join(root, 'node_modules')), '.cache')

/** Libraries of hundreds of small modules: each test file and each program that imports one loads all of them. */
const libraries = {
  'apps/server': ['kysely', 'kysely/migration', 'viem', 'viem/accounts', 'viem/actions', 'viem/chains', 'viem/utils'],
  'packages/core': ['zod', 'zod/mini'],
}

/**
 * Puts the code of each of these libraries into a few files, once for each state of the lockfile. What stands in the
 * folder's `bundled.json` is, by the file that Node finds for an import, the file that holds the same.
 *
 * @returns the folder.
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
    // Another run has made the same in the meantime.
    rmSync(made, { recursive: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

/** Bundles what `user` imports by these names; modules that several need stay one, so that each class exists once. */
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
    // The same files that Node takes.
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
