import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { codes } from '@firmquote/core'
import { problemDocs } from '@firmquote/core/endpoints'
import * as sdk from '@firmquote/sdk'
import { startProgram } from '@firmquote/test-support/startProgram'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { packPublished } from '../../../scripts/release/preparePackages.ts'
import { describeInBrowser } from './browser/describeInBrowser.ts'
import { expectAccessible } from './browser/expectAccessible.ts'
import {
  type BuiltPage,
  findIncomplete,
  findRepeatedTitles,
  followLinks,
  readBuiltPages,
  type SidebarItem,
} from './docs/siteFiles.ts'
import { packPackages, root } from './pack.ts'
import { judgeSize, unpackedBytes } from './packageSizes.ts'
import { createProject } from './project.ts'

// The documentation as built by `npm run docs` and served by the server. Building the site is slow, so this test is a
// trial. One round is enough, since nothing is random.

const bounds = { buildSeconds: 20, firstLoadBytes: 80_000, searchBytes: 40_000, indexBytes: 250_000 }
/** The site before `npm run docs` compresses it for the server. */
const folder = join(root, 'apps/docs/dist/site')

let built: { seconds: number; processorSeconds: number }
let pages: Map<string, BuiltPage>
let files: Set<string>
let stack: Stack

beforeAll(async () => {
  // Other trials pack the same folders, so the site is built only after the shared tarballs exist.
  await packPackages()
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/run.mjs', 'docs'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  if (status !== 0) throw new TypeError(`npm run docs failed:\n${stdout}${stderr}`)
  const [, seconds, processorSeconds] = /pages in ([\d.]+) s.*; ([\d.]+) s of CPU time/.exec(stdout) ?? []
  built = { seconds: Number(seconds), processorSeconds: Number(processorSeconds) }
  pages = readBuiltPages(folder)
  files = new Set(globSync('**/*', { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile()))
  stack = await startStack()
}, 180_000)
afterAll(() => stack?.stop(), 30_000)

const packedSize = (path: string) => gzipSync(readFileSync(join(folder, path)), { level: 9 }).length
const sum = (paths: Iterable<string>) => [...paths].reduce((total, path) => total + packedSize(path), 0)

describe('the built site', () => {
  test('default: is built within the time limit', () => {
    const { seconds, processorSeconds } = built
    process.stdout.write(`${pages.size} pages in ${seconds} s, ${processorSeconds} s of processor time\n`)
    // Limits CPU time, which does not depend on the number of free cores. If another core is free, part of the build
    // runs in parallel.
    expect(processorSeconds).toBeLessThanOrEqual(bounds.buildSeconds)
  })

  test('behavior: every link and every anchor exists', async () => {
    const { followed, broken, ofService, external } = followLinks(pages, files, '/learn/')
    process.stdout.write(`${followed} links followed; not followed, since external:\n${external.join('\n')}\n`)
    expect(followed).toBeGreaterThan(1_000)
    expect(broken).toEqual([])
    for (const path of ofService) expect([path, (await fetch(stack.url + path)).status]).toEqual([path, 200])
  })

  test('behavior: no page and no group of the sidebar shows a title twice', () => {
    const lists = JSON.parse(readFileSync(join(root, 'apps/docs/dist/lists.json'), 'utf8'))
    const sidebars = Object.values<SidebarItem[]>(lists.sidebar).flat()
    expect(sidebars.length).toBeGreaterThan(8)
    expect(findRepeatedTitles(pages, sidebars)).toEqual([])
  })

  test('behavior: the SDK reference expands every type, and lists the errors of a member once', () => {
    const reference = [...pages.values()].filter(({ path }) => path.startsWith('reference/sdk/'))
    expect(reference.length).toBeGreaterThan(70)
    expect(reference.flatMap(findIncomplete)).toEqual([])
  })

  test('behavior: the reference links every error class to its section on the page about errors', () => {
    const classes = Object.values<unknown>(sdk)
      .filter((value) => typeof value === 'function')
      .filter((value) => value.prototype instanceof sdk.BaseError && value !== sdk.ClientError)
    expect(classes.length).toBeGreaterThan(10)
    for (const { name } of classes) {
      const address = `/learn/reference/errors-sdk#${name.toLowerCase()}`
      expect(pages.get(`reference/sdk/classes/${name}`)?.links).toContain(address)
    }
  })

  test('behavior: every page also exists as Markdown, and is in the lists for programs', async () => {
    const llms = readFileSync(join(folder, 'llms.txt'), 'utf8')
    for (const path of pages.keys()) {
      if (path === '404') continue
      expect([path, existsSync(join(folder, `${path}.md`))]).toEqual([path, true])
      if (path !== 'index') expect(llms).toContain(`](/learn/${path}.md)`)
    }
    const response = await fetch(`${stack.url}/learn/reference/protocol.md`)
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(await response.text()).toMatch(/^# Protocol\n/)
    expect((await fetch(`${stack.url}/learn/llms-full.txt`)).status).toBe(200)
  })

  test('behavior: every error code has the anchor that problems link to, and a problem from the server links to it', async () => {
    const { ids } = pages.get('reference/errors') ?? { ids: new Set() }
    for (const code of codes) expect(ids).toContain(problemDocs(code).split('#')[1])
    const problem = (await (await fetch(`${stack.url}/api/v1/nothing`)).json()) as { docs: string }
    const { pathname, hash } = new URL(problem.docs, stack.url)
    expect((await fetch(stack.url + pathname)).status).toBe(200)
    expect(ids).toContain(hash.slice(1))
  })

  test('behavior: no page has an inline script or style that the policy would block', () => {
    const [first] = [...pages.values()]
    expect(first?.inlineScripts).toHaveLength(2)
    for (const { path, inlineScripts } of pages.values()) {
      expect([path, inlineScripts]).toEqual([path, first?.inlineScripts])
      expect(readFileSync(join(folder, `${path}.html`), 'utf8')).not.toMatch(/<style|\sstyle="/)
    }
  })
})

test('behavior: a server installed from its tarball includes the site, and one without it shows the command to build it', async () => {
  const project = await createProject()
  // Contains the site, unlike the shared tarball.
  const server = packPublished(project.folder).find(({ name }) => name === '@firmquote/server')
  expect(judgeSize('@firmquote/server', unpackedBytes(server?.filename ?? ''))).toEqual([])
  execFileSync('tar', ['-xzf', server?.filename ?? '', '-C', project.folder])
  const installed = join(project.folder, 'package')
  const bare = join(project.folder, 'bare')
  cpSync(installed, bare, { recursive: true, filter: (path) => path !== join(installed, 'dist/learn') })
  const answerOf = async (server: string, path: string) => {
    const { child, says, ended } = startProgram(join(server, 'dist/main.js'), [], {
      ...{ PORT: '0', DATA_DIR: join(project.folder, 'data'), RPC_URL: stack.devnet.rpcUrl, NODE_OPTIONS: '' },
      ...{ HEAD_DEGRADED_SECONDS: '36000', HEAD_STALE_SECONDS: '36000' },
    })
    try {
      const [, url = ''] = await says(/^ready (http:\S+)$/m)
      const response = await fetch(url + path)
      return [response.status, await response.text()]
    } finally {
      child.kill('SIGTERM')
      await ended
    }
  }
  try {
    const page = 'operate/incidents/firmquote-down'
    expect(await answerOf(installed, `/learn/${page}`)).toEqual([
      200,
      readFileSync(join(folder, `${page}.html`), 'utf8'),
    ])
    expect(await answerOf(bare, `/learn/${page}`)).toEqual([404, expect.stringContaining('<code>npm run docs</code>')])
  } finally {
    project.remove()
  }
}, 180_000)

/** One page from each folder, and one from each generator. */
const kinds = [
  '',
  'operate/operating',
  'reference/rest',
  'reference/errors',
  'reference/sdk/classes/ServiceClient',
  'reference/sdk/functions/takeBest',
  'packages/cli',
  'changelog',
  'nothing/of/this/name',
]

describeInBrowser('the site in a browser', ({ browser }) => {
  test.each(['light', 'dark'] as const)(
    'behavior: every kind of page is accessible in %s, fits a phone, and reports no errors',
    async (colorScheme) => {
      const { page, mistakes } = await openSite(browser(), { colorScheme, reducedMotion: 'reduce' })
      for (const path of kinds) {
        await page.setViewportSize({ width: 1_280, height: 900 })
        await page.goto(`${stack.url}/learn/${path}`, { waitUntil: 'load' })
        await page.locator('h1').first().waitFor()
        await expectAccessible(page)
        await page.setViewportSize({ width: 360, height: 700 })
        const [needed, given] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth])
        expect([path, needed]).toEqual([path, given])
      }
      // The 404 response itself is not an error on the page.
      expect(mistakes.filter((text) => !text.includes('nothing/of/this/name'))).toEqual([])
      await page.context().close()
    },
    60_000,
  )

  test('behavior: loads few scripts at first and few more for the search, which works offline', async () => {
    const { page, scripts, mistakes } = await openSite(browser(), { reducedMotion: 'reduce' })
    await page.goto(`${stack.url}/learn/reference/errors`, { waitUntil: 'networkidle' })
    const first = new Set(scripts)
    await page.getByRole('button', { name: 'Search' }).click()
    const input = page.getByRole('searchbox')
    await input.fill('checkpoint')
    await page.locator('dialog a').first().waitFor()
    const more = [...scripts].filter((path) => !first.has(path))
    const index = more.filter((path) => path.includes('localSearchIndex'))
    const search = more.filter((path) => !index.includes(path))
    process.stdout.write(`first load ${sum(first)} bytes, search ${sum(search)}, its index ${sum(index)}, gzip\n`)
    expect(search).not.toEqual([])
    expect(index).toHaveLength(1)
    expect(sum(first)).toBeLessThanOrEqual(bounds.firstLoadBytes)
    expect(sum(search)).toBeLessThanOrEqual(bounds.searchBytes)
    expect(sum(index)).toBeLessThanOrEqual(bounds.indexBytes)

    await page.context().setOffline(true)
    await input.fill('INSUFFICIENT_ALLOWANCE')
    await page.locator('dialog a[href*="reference/errors"]').first().waitFor()
    await input.fill('takeBest')
    await page.locator('dialog a[href*="reference/sdk/functions/takeBest"]').first().waitFor()
    expect(mistakes).toEqual([])
    await page.context().close()
  }, 60_000)

  test.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['forced colours', { forcedColors: 'active' }],
  ] as const)(
    'behavior: the search is accessible in %s, empty, with results and without, and fits a phone',
    async (_name, options) => {
      const { page, mistakes } = await openSite(browser(), { ...options, reducedMotion: 'reduce' })
      const { input, status } = searchOn(page)
      await page.goto(`${stack.url}/learn/reference/errors`, { waitUntil: 'networkidle' })
      await page.getByRole('button', { name: 'Search' }).click()
      for (const [width, height] of [
        [1_280, 900],
        [360, 700],
      ] as const) {
        await page.setViewportSize({ width, height })
        await input.fill('')
        expect(await status.textContent()).toBe('')
        await expectAccessible(page)
        await input.fill('allowance')
        await status.filter({ hasText: /^The best 16 of \d+ results\.$/ }).waitFor()
        await input.press('ArrowDown')
        expect(await page.locator('dialog a:focus').evaluate((link) => getComputedStyle(link).outlineStyle)).toBe(
          'solid',
        )
        await expectAccessible(page)
        // A text of the input's maximum length with no possible line break.
        const nothing = 'q'.repeat(64)
        await input.fill(nothing)
        await status.filter({ hasText: `Nothing found for “${nothing}”.` }).waitFor()
        await expectAccessible(page)
        const [needed, given] = await page
          .getByRole('dialog')
          .evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])
        expect([width, needed]).toEqual([width, given])
      }
      expect(mistakes).toEqual([])
      await page.context().close()
    },
    60_000,
  )

  test('behavior: the search can be used with only the keyboard', async () => {
    const { page, mistakes } = await openSite(browser(), { reducedMotion: 'reduce' })
    const { input, focused, closed } = searchOn(page)
    await page.goto(`${stack.url}/learn/reference/errors`, { waitUntil: 'networkidle' })
    for (const key of ['/', 'Control+k', 'Meta+k']) {
      await page.keyboard.press(key)
      await focused('input')
      await page.keyboard.press('Escape')
      await closed()
    }

    const button = page.getByRole('button', { name: 'Search' })
    await button.focus()
    await page.keyboard.press('Enter')
    await focused('input')
    await page.keyboard.type('INSUFFICIENT_ALLOWANCE')
    const first = 'a[href="/learn/reference/errors#insufficient_allowance"]'
    await page.locator(`dialog li:first-child ${first}`).waitFor()
    await page.keyboard.press('ArrowDown')
    await focused(first)
    await page.keyboard.press('ArrowDown')
    await focused('li:nth-child(2) a')
    const tab = page.context().waitForEvent('page')
    await page.keyboard.press('Control+Enter')
    await (await tab).close()
    await page.bringToFront()
    await focused('li:nth-child(2) a')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await focused('input')
    const stops = new Set<string>()
    // Presses Tab more times than the dialog has tab stops. After the last stop, focus moves to the browser's own
    // controls, then to the first stop.
    for (let pressed = 0; pressed < 25; pressed += 1) {
      await page.keyboard.press('Tab')
      stops.add(
        await page.evaluate(() => {
          const { activeElement } = document
          return activeElement?.closest('dialog') ? 'dialog' : (activeElement?.tagName ?? '')
        }),
      )
    }
    expect(stops).toContain('dialog')
    expect([...stops].filter((stop) => stop !== 'dialog' && stop !== 'BODY')).toEqual([])
    // If the input were not empty, Escape would clear it instead.
    await input.focus()
    await page.keyboard.press('Escape')
    await closed()
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)

    // The typed text is restored. The selected heading is on the current page, so it receives the focus.
    await page.keyboard.press('Enter')
    await focused('input')
    expect(await input.inputValue()).toBe('INSUFFICIENT_ALLOWANCE')
    await page.keyboard.press('Enter')
    await closed()
    expect(new URL(page.url()).hash).toBe('#insufficient_allowance')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('insufficient_allowance')

    await page.keyboard.press('/')
    await focused('input')
    await page.keyboard.type('takeBest')
    const other = '/learn/reference/sdk/functions/takeBest'
    await page.locator(`dialog li:first-child a[href^="${other}#"]`).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === other)
    await page.getByRole('heading', { level: 1, name: 'takeBest' }).waitFor()
    await closed()
    expect(mistakes).toEqual([])
    await page.context().close()
  }, 60_000)

  test('error: the search reports that its index cannot be loaded', async () => {
    const { page } = await openSite(browser(), { reducedMotion: 'reduce' })
    await page.route('**/*localSearchIndex*', (route) => route.abort())
    await page.goto(`${stack.url}/learn`, { waitUntil: 'networkidle' })
    await page.keyboard.press('/')
    const { status } = searchOn(page)
    await status.filter({ hasText: 'The index could not be loaded. Load the page again.' }).waitFor()
    await expectAccessible(page)
    await page.context().close()
  }, 30_000)

  test('behavior: the recording plays, can be stopped, and does not play if the reader prefers reduced motion', async () => {
    const { page } = await openSite(browser(), {})
    await page.goto(`${stack.url}/learn`)
    const terminal = page.locator('.recording pre')
    await expect(terminal.filter({ hasText: 'closes in' }).waitFor()).resolves.toBeUndefined()
    await page.getByRole('button', { name: 'Stop' }).click()
    expect(await terminal.textContent()).toContain('closed: 3 quotes')
    await page.context().close()
    const still = await openSite(browser(), { reducedMotion: 'reduce' })
    await still.page.goto(`${stack.url}/learn`, { waitUntil: 'networkidle' })
    expect(await still.page.locator('.recording pre').textContent()).toContain('closed: 3 quotes')
    expect(await still.page.getByRole('button', { name: 'Play again' }).count()).toBe(1)
    await still.page.context().close()
  }, 30_000)
})

/** Returns a page's search dialog elements, and functions that wait for the focus and for the dialog to close. */
function searchOn(page: Page) {
  return {
    input: page.getByRole('searchbox'),
    status: page.getByRole('dialog').getByRole('status'),
    focused: (selector: string) => page.locator(`dialog ${selector}:focus`).waitFor(),
    closed: () => page.locator('dialog').waitFor({ state: 'detached' }),
  }
}

/** Opens a page and records the errors it reports and the scripts it loads, as paths on the site. */
async function openSite(
  browser: Browser,
  options: BrowserContextOptions,
): Promise<{ page: Page; mistakes: string[]; scripts: Set<string> }> {
  const page = await (await browser.newContext(options)).newPage()
  const mistakes: string[] = []
  const scripts = new Set<string>()
  page.on('pageerror', (error) => mistakes.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      mistakes.push(`${message.text()} (${page.url()}, ${message.location().url})`)
    }
  })
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.resourceType() === 'script') scripts.add(decodeURIComponent(pathname).replace('/learn/', ''))
  })
  return { page, mistakes, scripts }
}
