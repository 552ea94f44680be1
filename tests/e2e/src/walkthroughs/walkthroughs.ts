import { execFile } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '@firmquote/cluster/freePort'
import type { Browser, Page } from 'playwright-core'
import { readMarkdown } from '../docs/fencedBlocks.ts'
import { packPackages, root } from '../pack.ts'
import { createRegistry } from '../release/createRegistry.ts'
import { openTerminal, type Terminal } from '../terminal.ts'

/** A reader's inputs for following a page. */
export type Reader = {
  /** Replaces the placeholders in capitals. `shown` is all terminal output so far. */
  fillIn?(text: string, shown: string): string | Promise<string>
  environment?: Readonly<Record<string, string>>
  /**
   * Folder of installed packages, for pages that do not show how to install them. It becomes the folder's
   * `node_modules`.
   */
  modules?: string
  /** A command that the reader typed on an earlier page. */
  prepare?: string
  /** A browser, for pages that tell the reader to open an address. */
  browser?: () => Browser
}

/** Milliseconds that a reader waits for the described output. */
const patienceMs = 90_000

export type Walkthroughs = Awaited<ReturnType<typeof startWalkthroughs>>

/** Serves the packed packages to npm, and chooses free ports to replace those named in the pages. */
export async function startWalkthroughs() {
  const ends = new AsyncDisposableStack()
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'firmquote-walkthroughs-'))
  ends.defer(() => rm(folder, { recursive: true, force: true }))
  const [port, rpcPort] = [await freePort(), await freePort()]
  const url = `http://localhost:${port}`
  const registry = await createRegistry()
  ends.defer(registry.stop)
  await publishTo(registry.url)

  /** Environment of every typed command. */
  const environment = {
    ...ownMachine(folder),
    PORT: String(port),
    RPC_PORT: String(rpcPort),
    'npm_config_@firmquote:registry': registry.url,
    FIRMQUOTE_URL: url,
    FIRMQUOTE_SERVICE_URL: url,
    FIRMQUOTE_RPC_URL: `http://127.0.0.1:${rpcPort}`,
    FIRMQUOTE_SOCKET: join(folder, 'daemon.sock'),
    // A reader's answer to the prompt.
    FIRMQUOTE_KEYSTORE_PASSWORD: 'what a stranger types',
  }
  const withPorts = (text: string) =>
    text
      .replaceAll('localhost:3005', `localhost:${port}`)
      .replaceAll('127.0.0.1:8545', `127.0.0.1:${rpcPort}`)
      .replaceAll(/^npx firmquote-devnet(?: fund .*)?$/gm, `$& --port ${rpcPort}`)

  /**
   * Follows a page in `apps/docs` word for word in an empty folder, without this repository in PATH:
   *
   * - Each `sh` block is typed and must succeed. After "leave it running", the command must print the `text` block
   *   below, or `ready`, and keeps running. "In a clone of the repository" means this repository.
   * - "Save this as `file`" and "Add this to `file`" apply to the block below.
   * - A `text` block must match the shape ({@link shapeOf}) of a running or earlier command's output.
   * - "Open <address>" opens a browser. From there "press **label**" and "then **label**" click, "`x` into **label**"
   *   types into a field, and _italics_ must be visible.
   *
   * @throws {TypeError} with the page's line, if anything differs from the page.
   */
  async function follow(name: string, { fillIn = async (text) => text, ...reader }: Reader = {}) {
    const home = mkdtempSync(join(folder, 'reader-'))
    if (reader.modules !== undefined) symlinkSync(reader.modules, join(home, 'node_modules'))
    const whereabouts = `${home}-whereabouts`
    const terminals: Terminal[] = []
    const shown = () => terminals.map((terminal) => terminal.output()).join('\n')
    const fill = (text: string) => fillIn(withPorts(text), shown())
    let cwd = home
    let page: Page | undefined

    function open(command: string, place: string): Terminal {
      const terminal = openTerminal(command, place, { ...environment, ...reader.environment })
      ends.defer(async () => within(terminal.interrupt(), 'Ctrl-C', 20_000).catch(terminal.kill))
      terminals.push(terminal)
      return terminal
    }

    async function type(text: string, at: number): Promise<void> {
      const command = await fill(text)
      const place = /in a clone of the repository:$/i.test(proseAt(at - 1)) ? root : cwd
      const output = items.slice(at + 1, at + 3).find(({ kind }) => kind === 'block')
      const shows = output?.language === 'text' ? output.text : undefined
      // The prose before the block, and the prose before its output, if any.
      const said = shows === undefined ? proseAt(at - 1) : proseAt(at - 1) + proseAt(at + 1)
      if (/leave it running/i.test(said)) {
        const terminal = open(command, place)
        await within(terminal.shows(shows === undefined ? /^ready /m : shapeOf(shows)), command)
      } else {
        await within(open(`${command}\npwd >'${whereabouts}'`, place).succeeds(), command)
        cwd = readFileSync(whereabouts, 'utf8').trim()
      }
    }

    async function save(text: string, prose: string): Promise<void> {
      const [, verb, file] = /(save|add) this (?:as|to) `([^`]+)`/i.exec(prose) ?? []
      if (file === undefined) throw new TypeError('the text before this block does not say what to do with it')
      const write = verb?.toLowerCase() === 'add' ? appendFileSync : writeFileSync
      write(join(cwd, file), `${await fill(text)}\n`)
    }

    async function look(prose: string): Promise<void> {
      const tokens =
        /Open <([^>]+)>|`([^`]+)` into \*\*([^*]+)\*\*|(?:[Pp]ress|then) \*\*([^*]+)\*\*|(?<!\w)_([^_]+)_(?!\w)/g
      for (const [, address, value, label, pressed, seen] of prose.matchAll(tokens)) {
        if (address) {
          page ??= await openBrowser()
          await page?.goto(await fill(address))
        }
        if (label !== undefined && value !== undefined) await page?.getByLabel(label, { exact: true }).fill(value)
        if (seen !== undefined) await page?.getByText(seen).first().waitFor()
        if (pressed !== undefined) {
          const name = new RegExp(`^${shapeOf(pressed).source}$`)
          const section = page?.locator('summary').filter({ hasText: name })
          const link = page?.getByRole('link', { name })
          if (section && link) await page?.getByRole('button', { name }).or(link).or(section).first().click()
        }
      }
    }

    async function openBrowser(): Promise<Page | undefined> {
      const context = await reader.browser?.().newContext({ ignoreHTTPSErrors: true, reducedMotion: 'reduce' })
      ends.defer(async () => context?.close())
      context?.setDefaultTimeout(patienceMs)
      return context?.newPage()
    }

    if (reader.prepare !== undefined) await open(await fill(reader.prepare), cwd).succeeds()
    const items = readMarkdown(readFileSync(join(root, 'apps/docs', name), 'utf8'))
    const proseAt = (at: number) => (items[at]?.kind === 'prose' ? items[at].text : '')
    for (const [at, { kind, language, text, line }] of items.entries()) {
      try {
        if (kind === 'prose') await look(text)
        else if (language === 'sh') await type(text, at)
        else if (language === 'text')
          await within(Promise.any(terminals.map((terminal) => terminal.shows(shapeOf(text)))), text)
        else await save(text, proseAt(at - 1))
      } catch (cause) {
        const seen = await page
          ?.locator('body')
          .ariaSnapshot({ timeout: 5_000 })
          .catch(() => '')
        const message = `apps/docs/${name}:${line} does not match: ${(cause as Error).message}`
        throw new TypeError(`${message}\nThe terminals:\n${shown()}\nThe page:\n${seen}`, { cause })
      }
    }
    return { shown, page, folder: cwd }
  }

  return { url, port, rpcPort, folder, environment, follow, stop: () => ends.disposeAsync() }
}

/** Publishes every packed package from the repository. */
async function publishTo(registry: string): Promise<void> {
  const packed = await packPackages()
  const env = { ...process.env, NODE_OPTIONS: '', [`npm_config_//${new URL(registry).host}/:_authToken`]: 'a-token' }
  const publish = (file: string) =>
    promisify(execFile)('npm', ['publish', join(packed, file), '--registry', registry, '--no-provenance'], { env })
  await Promise.all(readdirSync(packed).map(publish))
}

/** Returns an environment with this Node as `node` and the system's programs, but without this repository. */
function ownMachine(folder: string): Record<string, string | undefined> {
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
  }
}

/** Rejects if the work does not complete within a timeout. */
function within<T>(work: Promise<T>, what: string, ms = patienceMs): Promise<T> {
  const late = sleep(ms, undefined, { ref: false }).then(() => {
    throw new TypeError(`waited ${ms / 1_000} s for ${what}`)
  })
  return Promise.race([work, late])
}

/**
 * Returns a pattern for a page's sample output. Figures, dates, hashes and the width of whitespace between words may
 * differ, and `…` matches any text.
 */
function shapeOf(text: string): RegExp {
  const tokens = text.trim().matchAll(/0x[\da-fA-F]+(?:…[\da-fA-F]+)?|…|(?<!\w)\d(?:[.,:-]?\d)*|\s+|./g)
  return new RegExp([...tokens].map(([token]) => patternOf(token)).join(''))
}

function patternOf(token: string): string {
  if (/^0x./.test(token)) return '0x[\\da-fA-F…]+'
  if (token === '…') return '[\\s\\S]*?'
  if (/^\d/.test(token)) return '\\d[\\d.,:-]*'
  if (/^\s/.test(token)) return '\\s+'
  return token.replace(/[.*+?^${}()|[\]\\]/, '\\$&')
}
