import { defineConfig, type Options } from 'tsup'
import { reportLicences } from '../../scripts/licences/reportLicences.ts'

/** What `package.json` names, for those who load the package as a whole. */
const entry = {
  index: 'src/index.ts',
  addresses: 'src/addresses.ts',
  node: 'src/node.ts',
  'backer/viemQuoteSigner': 'src/backer/viemQuoteSigner.ts',
}

const shared: Options = {
  sourcemap: true,
  splitting: true,
  target: 'es2022',
  esbuildPlugins: [reportLicences()],
  // Node and bundlers choose, by `imports` of package.json.
  external: ['#quoteSigner'],
  // Ships ESM only, which a CommonJS build cannot require on every Node 20.
  noExternal: ['eventsource-parser'],
}

export default defineConfig([
  // Every file is an entry, so that a page loads what takes an offer with the view that takes it, and backers never.
  {
    ...shared,
    entry: ['src/**/*.ts', '!src/**/*.test.ts'],
    format: ['esm'],
    dts: { entry },
  },
  { ...shared, entry, format: ['cjs'], dts: { entry } },
])
