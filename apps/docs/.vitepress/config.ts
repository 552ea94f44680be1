import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformerStyleToClass } from '@shikijs/transformers'
import { defineConfig, type Plugin } from 'vitepress'
import { reportPageLicences } from '../../../scripts/licences/reportLicences.ts'

const lists = JSON.parse(readFileSync(new URL('../dist/lists.json', import.meta.url), 'utf8'))

/** Highlights code with classes, because the server's Content-Security-Policy forbids inline styles. */
const toClass = transformerStyleToClass({ classPrefix: 's-' })

/** Only the browser searches. Without this plugin, VitePress would index all pages a second time for the server's bundle. */
const withoutIndexOnServer: Plugin = {
  name: 'without-index-on-server',
  enforce: 'pre',
  load: (id, options) => (options?.ssr && id === '/@localSearchIndex' ? 'export default {}' : undefined),
}

export default defineConfig({
  base: '/learn/',
  lang: 'en',
  title: 'Firmquote',
  description: 'Fixed rates for variable-rate debt, by request for quote.',
  srcDir: 'dist/pages',
  outDir: 'dist/site',
  cacheDir: 'dist/cache',
  cleanUrls: true,
  metaChunk: true,
  // Otherwise, VitePress would use an inline style.
  appearance: { disableTransition: false },
  // Localhost URLs are only examples.
  ignoreDeadLinks: 'localhostLinks',
  // VitePress would show each file's modification time, but only the build date matters.
  lastUpdated: false,
  head: [
    ['link', { rel: 'icon', href: '/learn/favicon.svg', type: 'image/svg+xml' }],
    ['link', { rel: 'stylesheet', href: '/learn/code.css' }],
  ],
  // Removes the theme's inline styles on two elements. The theme's scripts and `look.css` set the same styles.
  transformHtml: (html) => html.replaceAll(/ style="(?:position:relative;|--vp-vh:0px;|)"/g, ''),
  buildEnd: ({ outDir }) => writeFileSync(join(outDir, 'code.css'), toClass.getCSS()),
  vite: {
    plugins: [reportPageLicences(), withoutIndexOnServer],
    // The only large chunk is the search index, which is loaded when the search dialog opens.
    build: { chunkSizeWarningLimit: 1_000 },
    resolve: {
      alias: [
        // The only theme component that the site replaces.
        {
          find: /^.*\/VPLocalSearchBox\.vue$/,
          replacement: fileURLToPath(new URL('theme/searchDialog.ts', import.meta.url)),
        },
      ],
    },
  },
  markdown: {
    // Pages are plain Markdown without components or tags.
    html: false,
    linkify: false,
    // Use GitHub's slugs, so that links to headings work on the site and in the repository.
    anchor: { slugify: slug },
    toc: { slugify: slug },
    codeTransformers: [toClass],
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(md) {
      const render = md.render.bind(md)
      // Escapes braces. The only tags allowed are TypeDoc's anchors in table rows.
      md.render = (...given) =>
        render(...given)
          .replaceAll('{{', '&#123;&#123;')
          // In some tables, the first column has no title, and an empty cell must not be a header cell.
          .replaceAll(/<th([^>]*)><\/th>/g, '<td$1></td>')
          .replaceAll(/ style="text-align:(left|center|right)"/g, ' class="$1"')
          .replaceAll(/&lt;a id=&quot;([\w-]+)&quot;&gt;&lt;\/a&gt;/g, '<a id="$1"></a>')
    },
  },
  themeConfig: {
    nav: lists.navigation,
    sidebar: lists.sidebar,
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        _render: (text, env, md) => md.render(searchedText(text, env.relativePath), env),
      },
    },
    docFooter: { prev: 'Previous', next: 'Next' },
  },
})

/**
 * Returns the text to index for search, without highlighting. For the SDK reference, only names and summaries are
 * indexed.
 */
function searchedText(text: string, path: string): string {
  if (path === 'reference/sdk/index.md') return (text.match(/^#{1,3} .+$/gm) ?? []).join('\n\n')
  if (path.startsWith('reference/sdk/functions/')) return text.split(/^## /m)[0] ?? ''
  return text.replaceAll(/^(\s*(?:`{3,}|~{3,}))\w+/gm, '$1txt')
}

function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}
