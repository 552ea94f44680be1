import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  // The hooks and the dapp are to have the same ones, however a package manager links them.
  resolve: { dedupe: ['@tanstack/react-query', 'react', 'viem', 'wagmi'] },
  server: {
    port: Number(process.env['PORT'] ?? 5173),
    // The chain of `npm start` answers pages of this origin only in this way; the demo account needs it.
    proxy: { '/devnet/rpc': { target: process.env['RPC_URL'] ?? 'http://127.0.0.1:8545', rewrite: () => '/' } },
  },
})
