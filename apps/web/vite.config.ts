import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'
import { reportPageLicences } from '../../scripts/licences/reportLicences.ts'
import { en } from './src/copy/en.ts'
import { openings } from './src/copy/openings.ts'

// What `pnpm --filter @firmquote/web dev` talks to: `npm start`.
const service = process.env['SERVICE_URL'] ?? 'http://localhost:3005'
const node = process.env['RPC_URL'] ?? 'http://127.0.0.1:8545'

/** Everything that the page needs lies beside it: a strict Content-Security-Policy allows nothing else. */
export default defineConfig(({ mode }) => ({
  plugins: [react(), devnetSettings(), openingsInPage(), reportPageLicences()],
  resolve: {
    // Workspace packages are built from their sources.
    conditions: ['@firmquote/source', ...defaultClientConditions],
    // pnpm links the hooks' wagmi and viem apart from the page's: only here are there connectors beside them. The page has one of each.
    dedupe: ['viem', 'wagmi'],
    // WalletConnect's own window, which the page does not open: nothing of it is to be built.
    alias: { '@reown/appkit/core': fileURLToPath(new URL('src/chain/noWindow.ts', import.meta.url)) },
  },
  build: {
    target: 'es2023',
    // A `data:` font or script would need an exception in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // What the first view needs, as one file: parted by who else needs it, it compresses worse by a twentieth.
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
      // `--mode gallery` builds the parts by themselves, to look at and to test; see `src/gallery`.
      ...(mode === 'gallery' && { input: 'gallery.html' }),
    },
  },
  server: {
    proxy: {
      '/api': service,
      '/docs': service,
      '/devnet/rpc': { target: node, rewrite: () => '/' },
    },
  },
}))

/** While developing, writes into the page what the server of a devnet writes into it. */
function devnetSettings(): Plugin {
  return {
    name: 'devnet-settings',
    apply: 'serve',
    transformIndexHtml: (html) =>
      html
        .replace('devnet-rpc" content=""', 'devnet-rpc" content="/devnet/rpc"')
        .replace('demo-account" content=""', 'demo-account" content="0xBcd4042DE499D14e55001CcbB24a551F3b954096"')
        .replace('smart-account" content=""', 'smart-account" content="0x71bE63f3384f5fb98995898A86B02Fb2426c5788"'),
  }
}

/** Writes into the page how its views begin, for `public/opening.js` to show. */
function openingsInPage(): Plugin {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const templates = Object.entries(openings(en)).map(([path, { title, lead }]) => {
    const looks = path === '/' ? ' data-first' : path === '/auction' ? ' data-narrow' : ''
    return `<template data-path="${path}"><div class="opening"${looks}><h1>${escaped(title)}</h1><p>${escaped(lead)}</p></div></template>`
  })
  return {
    name: 'openings-in-page',
    transformIndexHtml: (html) => html.replace('<!-- openings -->', templates.join('\n    ')),
  }
}
