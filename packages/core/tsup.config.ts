import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts', wire: 'src/wire/index.ts', chain: 'src/chain/index.ts' },
  format: ['esm', 'cjs'],
  dts: true,
  clean: true,
  sourcemap: true,
  splitting: true,
  target: 'es2022',
})
