import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    addresses: 'src/addresses.ts',
    node: 'src/node.ts',
    viemQuoteSigner: 'src/backer/viemQuoteSigner.ts',
  },
  format: ['esm', 'cjs'],
  dts: true,
  clean: true,
  sourcemap: true,
  splitting: true,
  target: 'es2022',
  // Node and bundlers choose, by `imports` of package.json.
  external: ['#quoteSigner'],
  // Ships ESM only, which a CommonJS build cannot require on every Node 20.
  noExternal: ['eventsource-parser'],
})
