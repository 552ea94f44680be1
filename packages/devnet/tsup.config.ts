import { defineConfig } from 'tsup'
import { reportLicences } from '../../scripts/licences/reportLicences.ts'

export default defineConfig({
  entry: { index: 'src/index.ts', batchWallet: 'src/createBatchWallet.ts', cli: 'src/cli.ts' },
  format: ['esm'],
  platform: 'node',
  target: 'node20',
  dts: { entry: { index: 'src/index.ts', batchWallet: 'src/createBatchWallet.ts' } },
  clean: true,
  splitting: true,
  esbuildPlugins: [reportLicences()],
})
