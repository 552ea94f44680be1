import { defineConfig, type Options } from 'tsup'
import { reportLicences } from '../../scripts/licences/reportLicences.ts'
import { listModules } from '../../scripts/listModules.ts'

/** The entry points in `package.json`, for consumers that import the whole package. */
const entry = {
  index: 'src/index.ts',
  addresses: 'src/addresses.ts',
  jobs: 'src/jobs.ts',
  node: 'src/node.ts',
  proofs: 'src/proofs.ts',
  'backer/viemQuoteSigner': 'src/backer/viemQuoteSigner.ts',
}

const shared: Options = {
  splitting: true,
  target: 'es2022',
  esbuildPlugins: [reportLicences()],
  // Node and bundlers choose the signer based on `imports` in package.json.
  external: ['#quoteSigner'],
  // ESM-only. Some versions of Node 20 cannot require ESM from a CommonJS build.
  noExternal: ['eventsource-parser'],
}

export default defineConfig([
  // Every file is an entry point, so that a web app loads the code for taking only with the view that needs it, and
  // never the backer code.
  {
    ...shared,
    entry: listModules(),
    format: ['esm'],
    dts: { entry },
  },
  { ...shared, entry, format: ['cjs'], dts: { entry } },
])
