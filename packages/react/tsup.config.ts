import { defineConfig } from 'tsup'
import { reportLicences } from '../../scripts/licences/reportLicences.ts'

export default defineConfig({
  // Every file is an entry point, so that a lazily loaded view loads only what it needs.
  entry: ['src/**/*.ts', '!src/**/*.test.ts'],
  // wagmi is ESM-only.
  format: ['esm'],
  dts: { entry: 'src/index.ts' },
  clean: true,
  splitting: true,
  esbuildPlugins: [reportLicences()],
  target: 'es2022',
  // Hooks run only in client components.
  banner: { js: "'use client'" },
})
