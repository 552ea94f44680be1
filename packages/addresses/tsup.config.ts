import { defineConfig } from 'tsup'
import { reportLicences } from '../../scripts/licences/reportLicences.ts'

// One for both, which report together.
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
    // One file with everything in it: who installs the package installs nothing else.
    entry: { cli: 'src/cli.ts' },
    format: ['esm'],
    noExternal: [/^@noble\/hashes/],
    target: 'node20',
    esbuildPlugins,
  },
])
