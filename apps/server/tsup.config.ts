import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { main: 'src/main.ts', server: 'src/server.ts' },
  format: ['esm'],
  platform: 'node',
  target: 'node22',
  dts: { entry: { server: 'src/server.ts' } },
  clean: true,
  sourcemap: true,
  splitting: true,
})
