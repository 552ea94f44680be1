import { defineConfig } from 'tsup'
import { reportLicences } from '../../scripts/licences/reportLicences.ts'

export default defineConfig({
  entry: { index: 'src/index.ts', platform: 'src/platform.ts', 'platform.node': 'src/platform.node.ts' },
  format: ['esm', 'cjs'],
  dts: { entry: { index: 'src/index.ts' } },
  clean: true,
  target: 'es2022',
  esbuildPlugins: [reportLicences()],
  // Node and bundlers choose the file based on `imports` in package.json.
  external: ['#platform'],
})
