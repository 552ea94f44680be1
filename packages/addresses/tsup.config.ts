import { defineConfig } from 'tsup'
import { reportLicences } from '../../scripts/licences/reportLicences.ts'

// Both builds share one instance, so that they write a joint report.
const esbuildPlugins = [reportLicences()]

export default defineConfig([
  {
    entry: { index: 'src/index.ts', adapters: 'src/adapters.ts' },
    format: ['esm', 'cjs'],
    dts: true,
    clean: ['**/*', '!cli.js'],
    target: 'es2022',
    esbuildPlugins,
  },
  {
    // Bundled into a single file, so that installing the package installs nothing else.
    entry: { cli: 'src/cli.ts' },
    format: ['esm'],
    noExternal: [/^@noble\/hashes/],
    target: 'node20',
    esbuildPlugins,
  },
])
