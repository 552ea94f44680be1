import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { defineConfig } from 'tsup'

const require = createRequire(import.meta.url)

export default defineConfig({
  entry: {
    main: 'src/main.ts',
    server: 'src/server.ts',
    writerThread: 'src/adapters/sqliteStore/writerThread.ts',
    recoveryThread: 'src/adapters/signatureThreads/recoveryThread.ts',
    // For the benchmark, which puts another door before the same service, and fills the store without one.
    configuration: 'src/configuration.ts',
    startServer: 'src/startServer.ts',
    sqliteStore: 'src/adapters/sqliteStore/sqliteStore.ts',
    encodeQuotePage: 'src/http/encodeQuotePage.ts',
  },
  format: ['esm'],
  platform: 'node',
  target: 'node22',
  dts: { entry: { server: 'src/server.ts' } },
  clean: true,
  sourcemap: true,
  splitting: true,
  onSuccess: packDocs,
})

/** Puts Swagger UI beside the code, packed and with its licences, so that the server needs no package for its page. */
async function packDocs() {
  const from = dirname(require.resolve('swagger-ui-dist/package.json'))
  const to = join('dist', 'docs')
  await mkdir(to, { recursive: true })
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
    const text = await readFile(join(from, name), 'utf8')
    // The source map stays behind.
    const alone = text.replace(/\n?\/[/*]# sourceMappingURL=.*\s*$/, '\n')
    await writeFile(join(to, `${name}.gz`), gzipSync(alone, { level: 9 }))
  }
  for (const name of ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'])
    await copyFile(join(from, name), join(to, name))
}
