import { relative } from 'node:path'
import { defineConfig, type Options } from 'tsup'
import { reportLicences } from '../../scripts/licences/reportLicences.ts'
import { listModules } from '../../scripts/listModules.ts'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/** Adds `'use client'` to every module that `query.js` does not import. Server components import `query.js`. */
const markClientModules: Plugin = {
  name: 'markClientModules',
  setup({ onEnd }) {
    onEnd(({ metafile, outputFiles = [] }) => {
      const onServer = new Set<string>()
      const visit = (path: string) => {
        if (onServer.has(path)) return
        onServer.add(path)
        for (const { path: next, external } of metafile?.outputs[path]?.imports ?? []) if (!external) visit(next)
      }
      visit('dist/query.js')
      for (const file of outputFiles) {
        if (onServer.has(relative(import.meta.dirname, file.path))) continue
        file.contents = new TextEncoder().encode(`'use client'\n${file.text}`)
      }
    })
  },
}

export default defineConfig({
  // Every file is an entry point, so that a lazily loaded view loads only what it needs.
  entry: listModules(),
  // wagmi is ESM-only.
  format: ['esm'],
  dts: { entry: ['src/index.ts', 'src/query.ts'] },
  clean: true,
  splitting: true,
  esbuildPlugins: [reportLicences(), markClientModules],
  target: 'es2022',
})
