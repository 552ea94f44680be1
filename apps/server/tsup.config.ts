import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { defineConfig } from 'tsup'
import { reportLicences } from '../../scripts/licences/reportLicences.ts'
import { swaggerFiles } from './src/entry/http/webApp/apiExplorerRoutes.ts'

const require = createRequire(import.meta.url)
const [pack, packWithBrotli] = [promisify(gzip), promisify(brotliCompress)]

export default defineConfig({
  entry: {
    main: 'src/main.ts',
    server: 'src/start/createFirmquoteServer.ts',
    writerThread: 'src/adapters/sqliteStore/writerThread.ts',
    integrityThread: 'src/adapters/sqliteStore/integrityThread.ts',
    recoveryThread: 'src/adapters/signatureThreads/recoveryThread.ts',
  },
  format: ['esm'],
  platform: 'node',
  target: 'node22',
  dts: { entry: { server: 'src/start/createFirmquoteServer.ts' } },
  // The commit reported by the build info in `/metrics`. GitHub Actions sets it.
  define: { __FIRMQUOTE_COMMIT__: JSON.stringify(process.env['GITHUB_SHA']) ?? 'undefined' },
  // `npm run docs` builds the docs site.
  clean: ['!learn/**'],
  splitting: true,
  // Swagger UI ships with the server.
  esbuildPlugins: [reportLicences({ also: [dirname(require.resolve('swagger-ui-dist/package.json'))] })],
  onSuccess: async () => {
    await Promise.all([packDocs(), packPage()])
  },
})

/** Copies Swagger UI and its licences into the build, so that the server does not depend on its package. */
async function packDocs() {
  const from = dirname(require.resolve('swagger-ui-dist/package.json'))
  const to = join('dist', 'docs')
  await mkdir(to, { recursive: true })
  for (const name of swaggerFiles) {
    const text = await readFile(join(from, name), 'utf8')
    // The source map is not copied.
    await writePacked(join(to, name), text.replace(/\n?\/[/*]# sourceMappingURL=.*\s*$/, '\n'))
  }
  for (const name of ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'])
    await copyFile(join(from, name), join(to, name))
}

/**
 * Copies the web app into the build. Text files are compressed, except the index, which the server renders.
 */
async function packPage() {
  const from = join(dirname(require.resolve('@firmquote/web/package.json')), 'dist')
  const to = join('dist', 'web')
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const [source, target] = [from, to].map((root) => join(root, entry.parentPath.slice(from.length), entry.name))
    if (entry.isDirectory() || extname(entry.name) === '.map' || !source || !target) continue
    await mkdir(dirname(target), { recursive: true })
    if (['.js', '.css', '.svg', '.txt'].includes(extname(entry.name))) await writePacked(target, await readFile(source))
    else await copyFile(source, target)
  }
}

/** Writes a file and its `.gz` and `.br` copies. */
async function writePacked(target: string, content: string | Buffer) {
  await writeFile(target, content)
  await writeFile(`${target}.gz`, await pack(content, { level: 9 }))
  await writeFile(`${target}.br`, await packWithBrotli(content))
}
