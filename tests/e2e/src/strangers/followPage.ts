import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { root } from '../pack.ts'
import { openTerminal, type Terminal } from '../terminal.ts'
import { readPage, shapeOf } from './readPage.ts'

/** What a stranger brings along to a page. */
export type Stranger = {
  /** The page, below `apps/docs`. */
  page: string
  /** Environment of all that is typed: ports of this machine that are free, and the like. */
  environment: Readonly<Record<string, string>>
  /** What replaces the page's ports, and the words in capitals that a reader fills in, in all that is typed, saved and opened. */
  fillIn(text: string, shown: string): string | Promise<string>
  /** Where packages are installed, for pages that say so in passing: becomes `node_modules` of the folder. */
  modules?: string
  /** What the reader has typed on another page before. */
  prepare?: readonly string[]
  /** A browser, for pages that say to open something. */
  browser?: () => Browser
  /** Is told at the beginning, so that a reader who is stuck can leave as well. */
  onBegin?(followed: Followed): void
  /** How long a reader waits for what the page promises, in milliseconds. */
  patienceMs?: number
}

/** How a page went. */
export type Followed = {
  /** What was typed, a command each; without comments. */
  commands: string[]
  /** What was pressed and filled in, in the browser. */
  presses: string[]
  seconds: number
  /** All that the terminals have shown so far. */
  shown(): string
  /** The page in the browser. */
  page: Page | undefined
  /** The folder in which the reader is at the end. */
  folder: string
  /** Ctrl-C in every terminal, the last one first, and removes the folder. */
  leave(): Promise<void>
}

/**
 * Follows a page word for word in an empty folder, with nothing of this repository on the path:
 *
 * - each `sh` block is typed and must succeed, where the page says "leave it running" it must show the `text` block behind it, or
 *   `ready`, and goes on; "In a clone of the repository" is this one;
 * - "Save this as `file`" and "Add this to `file`" say what becomes of the block behind it;
 * - a `text` block must be shown by what was typed last, in its shape ({@link shapeOf}), or be shown by what still runs;
 * - "Open <address>" opens it in the browser; from there on "press **label**" and "then **label**" press it, "`x` into
 *   **label**" writes into a field, and _italics_ must be seen.
 *
 * @throws {TypeError} with the page's line, when something is not as it says; everything is stopped then.
 */
export async function followPage(stranger: Stranger): Promise<Followed> {
  const { page: name, browser, patienceMs = 90_000 } = stranger
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'firmquote-stranger-'))
  const terminals: Terminal[] = []
  const followed: Followed = {
    commands: [],
    presses: [],
    seconds: 0,
    shown: () => terminals.map((terminal) => terminal.output()).join('\n'),
    page: undefined,
    folder: '',
    async leave() {
      await followed.page?.context().close()
      for (const terminal of terminals.toReversed()) {
        await within(terminal.interrupt(), 20_000, 'Ctrl-C').catch(() => terminal.kill())
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
  stranger.onBegin?.(followed)
  const fill = (text: string) => stranger.fillIn(text, followed.shown())
  const environment = strangersEnvironment(folder, stranger.environment)
  const whereabouts = join(folder, '.whereabouts')
  let cwd = join(folder, 'home')
  mkdirSync(cwd)
  if (stranger.modules !== undefined) symlinkSync(stranger.modules, join(cwd, 'node_modules'))

  for (const command of stranger.prepare ?? []) {
    const terminal = openTerminal(await fill(command), cwd, environment)
    terminals.push(terminal)
    await terminal.succeeds()
  }

  const began = performance.now()
  const items = readPage(readFileSync(join(root, 'apps/docs', name), 'utf8'))
  for (const [at, item] of items.entries()) {
    try {
      if (item.kind === 'prose') await look(item.text)
      else if (item.language === 'sh') await type(item.text, at)
      else if (item.language === 'text') await see(item.text)
      else await save(item.text, proseAt(at - 1))
    } catch (cause) {
      // A page that is gone shows nothing, and does not hide why it failed.
      const shown = followed.page?.locator('body').ariaSnapshot({ timeout: 5_000 })
      const seen = await shown?.catch(() => undefined)
      await followed.leave()
      const message = `It is not as apps/docs/${name}:${item.line} says: ${(cause as Error).message}`
      throw new TypeError(seen === undefined ? message : `${message}\nThe page:\n${seen}`, { cause })
    }
  }
  followed.seconds = (performance.now() - began) / 1_000
  followed.folder = cwd
  return followed

  function proseAt(at: number): string {
    const item = items[at]
    return item?.kind === 'prose' ? item.text : ''
  }

  async function type(text: string, at: number): Promise<void> {
    const isClone = /in a clone of the repository:$/i.test(proseAt(at - 1))
    // Said before it, or before what it shows.
    const shown = items.slice(at + 1, at + 3).find(({ kind }) => kind === 'block')
    const shows = shown?.kind === 'block' && shown.language === 'text' ? shown.text : undefined
    const isLeft = [at - 1, ...(shows === undefined ? [] : [at + 1])].some((near) =>
      /leave it running/i.test(proseAt(near)),
    )
    const command = await fill(text)
    followed.commands.push(...commandsOf(text))
    const own = isLeft ? command : `${command}\npwd >'${whereabouts}'`
    const terminal = openTerminal(own, isClone ? root : cwd, environment)
    terminals.push(terminal)
    if (isLeft) {
      const shape = shows === undefined ? /^ready /m : shapeOf(shows)
      await within(terminal.shows(shape), patienceMs, () => `${shape} of ${command}:\n${terminal.output()}`)
      return
    }
    const code = await within(terminal.ends(), patienceMs, () => `the end of ${command}:\n${terminal.output()}`)
    if (code !== 0) throw new TypeError(`${command} ended with ${code}:\n${terminal.output()}`)
    cwd = readFileSync(whereabouts, 'utf8').trim()
  }

  async function see(text: string): Promise<void> {
    const shape = shapeOf(text)
    const seen = terminals.map((terminal) => terminal.shows(shape))
    await within(Promise.any(seen), patienceMs, () => `${shape} in:\n${followed.shown()}`)
  }

  async function save(text: string, prose: string): Promise<void> {
    const [, verb, file] = /(save|add) this (?:as|to) `([^`]+)`/i.exec(prose) ?? []
    if (file === undefined) throw new TypeError('nobody knows what to do with this block')
    const write = verb?.toLowerCase() === 'add' ? appendFileSync : writeFileSync
    write(join(cwd, file), `${await fill(text)}\n`)
  }

  async function look(prose: string): Promise<void> {
    const tokens =
      /Open <([^>]+)>|`([^`]+)` into \*\*([^*]+)\*\*|(?:[Pp]ress|then) \*\*([^*]+)\*\*|(?<!\w)_([^_]+)_(?!\w)/g
    for (const [, address, value, label, pressed, seen] of prose.matchAll(tokens)) {
      if (address) {
        const context = await browser?.().newContext({ ignoreHTTPSErrors: true, reducedMotion: 'reduce' })
        followed.page ??= await context?.newPage()
        await followed.page?.goto(await fill(address))
      }
      const { page } = followed
      if (!page) continue
      page.setDefaultTimeout(patienceMs)
      if (label !== undefined && value !== undefined) await page.getByLabel(label, { exact: true }).fill(value)
      if (seen !== undefined) await page.getByText(seen).first().waitFor()
      if (pressed !== undefined) {
        const named = { name: shapeOfLabel(pressed) }
        await page.getByRole('button', named).or(page.getByRole('link', named)).first().click()
      }
      const done = pressed ?? label
      if (done !== undefined) followed.presses.push(done)
    }
  }
}

function shapeOfLabel(label: string): RegExp {
  return new RegExp(`^${shapeOf(label).source}$`)
}

/** The commands of a script, without comments; a line that goes on is one with the next. */
function commandsOf(script: string): string[] {
  const lines = script.replaceAll('\\\n', ' ').split('\n')
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
}

/** What a stranger's machine has: this Node as `node`, what the system has, and nothing of this repository. */
function strangersEnvironment(folder: string, more: Readonly<Record<string, string>>) {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  symlinkSync(realpathSync(process.execPath), join(bin, 'node'))
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((entry) => !entry.startsWith(root.replace(/\/$/, '')))
  const inherited = Object.keys(process.env).filter((key) =>
    /^(?:npm_(?:lifecycle|package)_|npm_config_local|INIT_CWD)/.test(key),
  )
  return {
    ...Object.fromEntries(inherited.map((key) => [key, undefined])),
    PATH: [bin, ...path].join(delimiter),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_prefer_offline: 'true',
    npm_config_update_notifier: 'false',
    ...more,
  }
}

/** Rejects when it takes longer. */
async function within<T>(work: Promise<T>, ms: number, what: string | (() => string)): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new TypeError(`waited ${ms / 1_000} s for ${typeof what === 'string' ? what : what()}`))
    }, ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
