import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineConfig } from 'tsup'
import { reportLicences } from '../../scripts/licences/reportLicences.ts'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    wire: 'src/wire/index.ts',
    endpoints: 'src/endpoints/index.ts',
    chain: 'src/chain/index.ts',
    verifier: 'src/verifier/index.ts',
  },
  format: ['esm', 'cjs'],
  dts: true,
  clean: true,
  splitting: true,
  esbuildPlugins: [reportLicences()],
  target: 'es2022',
  onSuccess: keepImports,
})

/**
 * Restores `import()`, which CommonJS code splitting turns into `require()`. Some versions of Node 20 cannot
 * `require()` ox, an ES module.
 */
async function keepImports() {
  for (const name of await readdir('dist')) {
    if (!name.endsWith('.cjs')) continue
    const file = join('dist', name)
    const code = await readFile(file, 'utf8')
    const required =
      /Promise\.resolve\(\)\.then\(\(\) => _interopRequireWildcard\(require\(('ox\/[^']+'|"ox\/[^"]+")\)\)\)/g
    const kept = code.replace(required, 'import($1)')
    if (kept.includes('require("ox/') || kept.includes("require('ox/")) throw new TypeError(`${name} requires ox.`)
    if (kept !== code) await writeFile(file, kept)
  }
}
