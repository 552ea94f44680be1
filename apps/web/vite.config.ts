import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'
import { reportPageLicences } from '../../scripts/licences/reportLicences.ts'
import { deTexts } from './src/copy/deTexts.ts'
import { en } from './src/copy/en.ts'
import { openings } from './src/copy/openings.ts'

// The service started by `npm start`.
const service = process.env['SERVICE_URL'] ?? 'http://localhost:3005'
const node = process.env['RPC_URL'] ?? 'http://127.0.0.1:8545'

/** Bundles all assets, because the Content-Security-Policy allows no other sources. */
export default defineConfig(({ mode }) => ({
  plugins: [react(), devnetSettings(), openingsInPage(), reportPageLicences()],
  resolve: {
    conditions: ['@firmquote/source', ...defaultClientConditions],
    // pnpm installs separate copies of wagmi (without connectors) and viem for `@firmquote/react`. The app needs one
    // copy of each package.
    dedupe: ['viem', 'wagmi'],
    // Omit WalletConnect's modal, which the app never opens.
    alias: { '@reown/appkit/core': fileURLToPath(new URL('src/chain/noWindow.ts', import.meta.url)) },
  },
  build: {
    target: 'es2023',
    // A `data:` font or script would require an exception in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Bundle the initial view into one file. Split by consumer, it would be 5 % larger after compression.
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
      // `--mode gallery` builds only the component gallery. See `src/gallery`.
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

/** Writes the devnet server's settings into the HTML during development. */
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

/** Writes each view's heading and introduction in each language into the HTML, for `public/opening.js`. */
function openingsInPage(): Plugin {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const languages = Object.entries({ en, de: deTexts })
  const views = languages.flatMap(([language, texts]) =>
    Object.entries(openings(texts)).map(([path, opening]) => ({ language, path, ...opening })),
  )
  const templates = views.map(({ language, path, title, lead }) => {
    const looks = path === '/' ? ' data-first' : ''
    return `<template data-lang="${language}" data-path="${path}"><div class="opening"${looks}><h1>${escaped(title)}</h1><p>${escaped(lead)}</p></div></template>`
  })
  return {
    name: 'openings-in-page',
    transformIndexHtml: (html) => html.replace('<!-- openings -->', templates.join('\n    ')),
  }
}
