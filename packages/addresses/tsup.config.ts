import { defineConfig } from 'tsup'

export default defineConfig([
  {
    entry: { index: 'src/index.ts', adapters: 'src/adapters.ts' },
    format: ['esm', 'cjs'],
    dts: true,
    clean: ['**/*', '!cli.js'],
    target: 'es2022',
  },
  {
    // One file with everything in it: who installs the package installs nothing else.
    entry: { cli: 'src/cli.ts' },
    format: ['esm'],
    noExternal: [/^@noble\/hashes/],
    target: 'node20',
  },
])
