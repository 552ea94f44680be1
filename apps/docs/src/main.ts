// Why: docs/decisions/0052-documentation-site.md
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vitepress'
import { collectPages } from './collectPages.ts'
import { llmsFullText, llmsText } from './llmsTexts.ts'
import { packFolder } from './packFolder.ts'
import { formatMarkdown, formatPage } from './page.ts'
import { groupPages, navigationOf, sidebarOf } from './sidebar.ts'

// `npm run docs`: collects the pages in dist/pages, builds them with VitePress in dist/site, and copies the compressed
// site to where the server expects it.

const here = fileURLToPath(new URL('..', import.meta.url))
const root = join(here, '../..')
const [pagesFolder, siteFolder] = [join(here, 'dist/pages'), join(here, 'dist/site')]
const served = join(root, 'apps/server/dist/learn')

const started = performance.now()
const pages = await collectPages(root, join(here, 'dist/typedoc'))
const collected = performance.now()
for (const folder of [pagesFolder, siteFolder]) rmSync(folder, { recursive: true, force: true })
for (const page of pages) write(pagesFolder, page.path, formatPage(page))
write(join(here, 'dist'), 'lists.json', JSON.stringify({ sidebar: sidebarOf(pages), navigation: navigationOf(pages) }))

await build(here)

const groups = groupPages(pages)
const facts = { base: '/learn/', recording: readRecording() }
for (const page of pages) write(siteFolder, page.path, formatMarkdown(page, facts))
write(siteFolder, 'llms.txt', llmsText(groups, facts.base))
// The SDK reference is excluded because it is as long as all other pages together.
const withoutSdk = pages.filter(({ path }) => !path.startsWith('reference/sdk/'))
write(siteFolder, 'llms-full.txt', llmsFullText(withoutSdk, facts))
cpSync(join(root, 'apps/web/public/favicon.svg'), join(siteFolder, 'favicon.svg'))
rmSync(served, { recursive: true, force: true })
packFolder(siteFolder, served)
const seconds = (from: number, to: number) => ((to - from) / 1_000).toFixed(1)
const { userCPUTime, systemCPUTime } = process.resourceUsage()
const ofProcessor = seconds(0, (userCPUTime + systemCPUTime) / 1_000)
process.stdout.write(
  `${pages.length} pages in ${seconds(0, performance.now())} s, including ${seconds(started, collected)} s for reading docstrings; ${ofProcessor} s of CPU time. Start the server and open /learn.\n`,
)

/** The recorded command and its last screen. */
function readRecording(): string {
  const { command, screens } = JSON.parse(readFileSync(join(here, 'recording.json'), 'utf8')) as {
    command: string
    screens: { lines: string[] }[]
  }
  return [`$ ${command}`, ...(screens.at(-1)?.lines ?? [])].join('\n')
}

function write(folder: string, path: string, text: string): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
