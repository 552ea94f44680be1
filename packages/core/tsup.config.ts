import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
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
    protocol: 'src/protocol.ts',
    utils: 'src/utils.ts',
  },
  format: ['esm', 'cjs'],
  dts: true,
  clean: true,
  splitting: true,
  esbuildPlugins: [reportLicences()],
  target: 'es2022',
  onSuccess: shareEngines,
})

/**
 * Lets the CommonJS build import ox from the ES module. The bundler's conversion to CommonJS breaks ox's classes, and
 * turns `import()` into `require()`, which some versions of Node 20 do not support for ES modules.
 */
async function shareEngines() {
  const names = await readdir('dist')
  const [esm, cjs] = ['.js', '.cjs'].map((end) =>
    names.find((name) => name.startsWith('oxEngines-') && name.endsWith(end)),
  )
  if (!esm || !cjs) throw new TypeError('The build lacks oxEngines.')
  await rm(join('dist', cjs))
  for (const name of names.filter((one) => one.endsWith('.cjs') && one !== cjs)) {
    const file = join('dist', name)
    const code = await readFile(file, 'utf8')
    const shared = code.replace(
      /Promise\.resolve\(\)\.then\(\(\) => _interopRequireWildcard\(require\(["']\.\/oxEngines-\w+\.cjs["']\)\)\)/g,
      `import('./${esm}')`,
    )
    if (shared.includes(cjs)) throw new TypeError(`${name} requires ${cjs}.`)
    if (shared !== code) await writeFile(file, shared)
  }
}
