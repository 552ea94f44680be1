import { defineConfig } from 'tsup'
import { reportLicences } from '../../scripts/licences/reportLicences.ts'

export default defineConfig({
  // Every file is an entry, so that a view that is loaded later brings what it alone needs.
  entry: ['src/**/*.ts', '!src/**/*.test.ts'],
  // wagmi ships nothing else.
  format: ['esm'],
  dts: { entry: 'src/index.ts' },
  clean: true,
  sourcemap: true,
  splitting: true,
  esbuildPlugins: [reportLicences()],
  target: 'es2022',
  // For React's server components: hooks run in clients.
  banner: { js: "'use client'" },
})
