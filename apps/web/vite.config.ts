import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

// What `pnpm --filter @firmquote/web dev` talks to: `npm start`.
const service = process.env['SERVICE_URL'] ?? 'http://localhost:3005'
const node = process.env['RPC_URL'] ?? 'http://127.0.0.1:8545'

/** Everything that the page needs lies beside it: a strict Content-Security-Policy allows nothing else. */
export default defineConfig({
  plugins: [react(), devnetSettings()],
  build: {
    target: 'es2023',
    // A `data:` font or script would need an exception in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: {
      '/api': service,
      '/docs': service,
      '/devnet/rpc': { target: node, rewrite: () => '/' },
    },
  },
})

/** While developing, writes into the page what the server of a devnet writes into it. */
function devnetSettings(): Plugin {
  return {
    name: 'devnet-settings',
    apply: 'serve',
    transformIndexHtml: (html) =>
      html
        .replace('devnet-rpc" content=""', 'devnet-rpc" content="/devnet/rpc"')
        .replace('demo-account" content=""', 'demo-account" content="0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65"'),
  }
}
