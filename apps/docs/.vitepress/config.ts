import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformerStyleToClass } from '@shikijs/transformers'
import { defineConfig } from 'vitepress'
import { reportPageLicences } from '../../../scripts/licences/reportLicences.ts'

const lists = JSON.parse(readFileSync(new URL('../dist/lists.json', import.meta.url), 'utf8'))

/** Colours of code as classes: the server's Content-Security-Policy allows no inline style. */
const toClass = transformerStyleToClass({ classPrefix: 's-' })

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
  // It would be done by an inline style.
  appearance: { disableTransition: false },
  // Addresses of one's own machine are examples.
  ignoreDeadLinks: 'localhostLinks',
  // Pages say what was true when they were built, not when a file was touched.
  lastUpdated: false,
  head: [
    ['link', { rel: 'icon', href: '/learn/favicon.svg', type: 'image/svg+xml' }],
    ['link', { rel: 'stylesheet', href: '/learn/code.css' }],
  ],
  // What the theme sets on two elements; its scripts and `look.css` do the same.
  transformHtml: (html) => html.replaceAll(/ style="(?:position:relative;|--vp-vh:0px;|)"/g, ''),
  buildEnd: ({ outDir }) => writeFileSync(join(outDir, 'code.css'), toClass.getCSS()),
  vite: {
    plugins: [reportPageLicences()],
    // The one large chunk is the search's index, which is loaded when the search is opened.
    build: { chunkSizeWarningLimit: 1_000 },
    resolve: {
      alias: [
        // The one component of the theme that is replaced.
        {
          find: /^.*\/VPLocalSearchBox\.vue$/,
          replacement: fileURLToPath(new URL('theme/searchDialog.ts', import.meta.url)),
        },
      ],
    },
  },
  markdown: {
    // Pages are text: nothing in them is a component or a tag.
    html: false,
    linkify: false,
    // As where the repository is read, so that a link to a heading leads there in both.
    anchor: { slugify: slug },
    toc: { slugify: slug },
    codeTransformers: [toClass],
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(md) {
      const render = md.render.bind(md)
      // Braces are braces. The one tag that there is, is TypeDoc's: the anchor of a row.
      md.render = (...given) =>
        render(...given)
          .replaceAll('{{', '&#123;&#123;')
          // The first column of some tables has no name: then its head is no heading.
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
    docFooter: { prev: 'Before', next: 'Next' },
  },
})

/** What the search knows of a page: without colours of code, and of the SDK's reference the names and what they are for. */
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
