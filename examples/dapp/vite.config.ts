import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  // The hooks and the dapp must share one copy of each package, however they are linked.
  resolve: { dedupe: ['@tanstack/react-query', 'react', 'viem', 'wagmi'] },
  server: {
    port: Number(process.env['PORT'] ?? 5173),
    // The `npm start` chain accepts browser requests only from the demo's web app, so the demo account needs this
    // proxy.
    proxy: { '/devnet/rpc': { target: process.env['RPC_URL'] ?? 'http://127.0.0.1:8545', rewrite: () => '/' } },
  },
})
