import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type ListeningServer, listenForTest } from '../../test/listenForTest.ts'
import { createScriptedService, testDomain } from '../../test/scriptedService.ts'
import { ConfigurationError } from '../ports/errors.ts'
import type { ServerOptions } from '../start/createFirmquoteServer.ts'

const demoAccount = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const script = "document.title = 'Firmquote'\n".repeat(100)
const font = new Uint8Array([0x77, 0x4f, 0x46, 0x32, 0, 1, 2, 3])
const index = `<!doctype html>
<meta name="firmquote:devnet-rpc" content="">
<meta name="firmquote:demo-account" content="" />
<meta name="firmquote:demo-smart-account" content="" />
<meta name="firmquote:walletconnect-project" content="" />
<meta name="firmquote:explorer" content="" />
`
let folder: URL
const servers: ListeningServer[] = []

beforeAll(() => {
  const path = mkdtempSync(join(tmpdir(), 'firmquote-page-'))
  folder = pathToFileURL(`${path}/`)
  mkdirSync(new URL('assets/', folder))
  const write = (name: string, content: string | Uint8Array) => writeFileSync(new URL(name, folder), content)
  const pack = (name: string, content: string) => {
    write(name, content)
    write(`${name}.gz`, gzipSync(content))
    write(`${name}.br`, brotliCompressSync(content))
  }
  write('index.html', index)
  pack('favicon.svg', '<svg/>')
  pack('assets/index-4f0c3d2e.js', script)
  pack('assets/index-1a2b3c4d.css', 'body{}')
  write('assets/text-9e8d7c6b.woff2', font)
  pack('THIRD_PARTY_LICENSES.txt', 'Licences')
  write('assets/LICENSE.txt', 'Open Font License')
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()))
  rmSync(folder, { recursive: true, force: true })
})

async function serve(options: Partial<ServerOptions> = {}): Promise<ListeningServer> {
  const { service } = createScriptedService()
  const server = await listenForTest({ service, domain: testDomain, webAppFolder: folder, ...options })
  servers.push(server)
  return server
}

/**
 * Request headers that allow a cached response. By default, fetch would send headers that bypass the cache.
 */
const askAgain = (tags: string) => ({ headers: { 'if-none-match': tags, 'cache-control': 'max-age=0' } })

/** Every kind of file, with its cache policy. */
const parts = [
  ['/', 'text/html; charset=utf-8', 'no-cache'],
  ['/favicon.svg', 'image/svg+xml', 'no-cache'],
  ['/THIRD_PARTY_LICENSES.txt', 'text/plain; charset=utf-8', 'no-cache'],
  ['/assets/index-4f0c3d2e.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
  ['/assets/index-1a2b3c4d.css', 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
  ['/assets/text-9e8d7c6b.woff2', 'font/woff2', 'public, max-age=31536000, immutable'],
] as const

describe('the page at /', () => {
  test('default: the built page, all of whose parts come from this server', async () => {
    const { service } = createScriptedService()
    const server = await listenForTest({ service, domain: testDomain })
    servers.push(server)
    const html = await (await fetch(server.url)).text()
    const urls = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url = '']) => url)
    expect(urls.filter((url) => url.startsWith('/assets/')).length).toBeGreaterThanOrEqual(2)
    for (const url of urls) expect([url, (await fetch(new URL(url, server.url))).status]).toEqual([url, 200])
    expect(await (await fetch(`${server.url}/THIRD_PARTY_LICENSES.txt`)).text()).toMatch(/^react@\d\S+ \(MIT\)$/m)
    expect(html).toContain('<meta name="firmquote:devnet-rpc" content=""')
    expect(html).toContain('<meta name="firmquote:demo-account" content=""')
  })

  test.each(parts)('behavior: %s has its content type and restrictive headers', async (path, type, cache) => {
    const { url } = await serve()
    const { status, headers } = await fetch(url + path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(type)
    expect(headers.get('cache-control')).toBe(cache)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "font-src 'self'",
      "img-src 'self' data:",
      "manifest-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
  })

  test.each(parts.map(([path]) => path))('behavior: HEAD %s is GET without the body', async (path) => {
    const { url } = await serve()
    const [head, get] = await Promise.all([
      fetch(url + path, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } }),
      fetch(url + path, { headers: { 'accept-encoding': 'identity' } }),
    ])
    expect(head.status).toBe(200)
    expect(head.headers.get('content-length')).toBe(String((await get.arrayBuffer()).byteLength))
    expect(await head.text()).toBe('')
  })

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, br;q=0', 'gzip'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])('behavior: text with Accept-Encoding %s', async (accepted, used) => {
    const { url } = await serve()
    for (const path of ['/favicon.svg', '/assets/index-4f0c3d2e.js', '/assets/index-1a2b3c4d.css']) {
      const { headers } = await fetch(url + path, { headers: { 'accept-encoding': accepted } })
      expect(headers.get('content-encoding')).toBe(used)
      expect(headers.get('vary')).toBe('Accept-Encoding')
    }
    // fetch decompresses the body.
    const answer = await fetch(`${url}/assets/index-4f0c3d2e.js`, { headers: { 'accept-encoding': accepted } })
    expect(await answer.text()).toBe(script)
  })

  test('behavior: compressed files are sent unchanged', async () => {
    const { url } = await serve()
    const answer = await fetch(`${url}/assets/text-9e8d7c6b.woff2`)
    expect(answer.headers.get('content-encoding')).toBeNull()
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(font)
  })

  test("behavior: a file's ETag depends on its content, not its date", async () => {
    const tagNow = async () => {
      const { url } = await serve()
      return (await fetch(`${url}/favicon.svg`, { headers: { 'accept-encoding': 'identity' } })).headers.get('etag')
    }
    const tag = await tagNow()
    utimesSync(new URL('favicon.svg', folder), 1, 1)
    expect(await tagNow()).toBe(tag)
    writeFileSync(new URL('favicon.svg', folder), '<svG/>')
    expect(await tagNow()).not.toBe(tag)
    writeFileSync(new URL('favicon.svg', folder), '<svg/>')
  })

  test('behavior: a file deleted after startup is still served', async () => {
    const gone = new URL('assets/gone-0a1b2c3d.js', folder)
    for (const suffix of ['', '.br', '.gz']) writeFileSync(`${fileURLToPath(gone)}${suffix}`, 'x')
    const { url } = await serve()
    for (const suffix of ['', '.br', '.gz']) rmSync(`${fileURLToPath(gone)}${suffix}`)
    const answer = await fetch(`${url}/assets/gone-0a1b2c3d.js`, { headers: { 'accept-encoding': 'identity' } })
    expect([answer.status, await answer.text()]).toEqual([200, 'x'])
  })

  test.each(parts.map(([path]) => path))(
    'behavior: %s has a strong tag, another one in each encoding',
    async (path) => {
      const { url } = await serve()
      const tags = new Set<string>()
      const encodings = new Set<string | null>()
      for (const accepted of ['br', 'gzip', 'identity']) {
        const ask = (headers = {}) => fetch(url + path, { headers: { 'accept-encoding': accepted, ...headers } })
        const { headers } = await ask()
        const tag = headers.get('etag') ?? ''
        expect(tag).toMatch(/^"[\w-]{43}"$/)
        tags.add(tag)
        encodings.add(headers.get('content-encoding'))
        for (const known of [`"other", W/${tag}`, `${tag},"other"`, '*']) {
          const again = await ask(askAgain(known).headers)
          expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag])
          expect(again.headers.get('cache-control')).toBe(headers.get('cache-control'))
          expect(again.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
        }
        expect((await ask(askAgain(`"${tag.slice(2)}`).headers)).status).toBe(200)
      }
      expect(tags.size).toBe(encodings.size)
    },
  )

  test('behavior: a query does not matter', async () => {
    const { url } = await serve()
    expect((await fetch(`${url}/?source=message`)).status).toBe(200)
  })

  test.each([
    '/assets/index-00000000.js',
    '/assets/LICENSE.txt',
    '/assets/index-4f0c3d2e.js.gz',
    '/assets/index-4f0c3d2e.js.br',
    '/assets/..%2Findex.html',
    '/assets/..%2F..%2Fmain.js',
    '/assets/constructor',
    '/assets/',
    '/index.html',
    '/curve',
  ])('error: no such file: %s', async (path) => {
    const { url } = await serve()
    const answer = await fetch(url + path)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expect(await answer.json()).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('error: POST', async () => {
    const { url } = await serve()
    for (const path of ['/', '/favicon.svg', '/assets/index-4f0c3d2e.js']) {
      const answer = await fetch(url + path, { method: 'POST' })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET'])
    }
  })

  test('error: a server without a built web app says so and serves the rest', async () => {
    const { url, api, logs } = await serve({ webAppFolder: new URL('nothing/', folder) })
    const answer = await fetch(url)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('npm run build') })
    expect((await fetch(`${api}/config`)).status).toBe(200)
    expect(logs).toContainEqual(expect.objectContaining({ msg: expect.stringContaining('has not been built') }))
  })
})

describe('the settings in the page', () => {
  const relay = async () => ({ result: null })

  test('default: nothing', async () => {
    expect(await (await fetch((await serve()).url)).text()).toBe(index)
  })

  test('behavior: on a devnet, the path of its node and the account that needs no wallet', async () => {
    const page = async (account: typeof demoAccount | null) =>
      (await fetch((await serve({ devnet: { relay, demoAccount: account } })).url)).text()
    const withNode = index.replace('devnet-rpc" content=""', 'devnet-rpc" content="/devnet/rpc"')
    expect(await page(null)).toBe(withNode)
    expect(await page(demoAccount)).toBe(
      withNode.replace('demo-account" content=""', `demo-account" content="${demoAccount}"`),
    )
  })

  test("behavior: the operator's settings, and a policy for remote wallets only with a project ID", async () => {
    const project = 'ab'.repeat(16)
    const explorer = 'https://explorer.example/base'
    const policyOf = async (options: Partial<ServerOptions>) => {
      const { url } = await serve(options)
      const answer = await fetch(url)
      return { html: await answer.text(), policy: answer.headers.get('content-security-policy')?.split('; ') ?? [] }
    }
    const plain = await policyOf({ explorer, devnet: { relay, demoAccount, demoSmartAccount: demoAccount } })
    expect(plain.html).toContain(`explorer" content="${explorer}"`)
    expect(plain.html).toContain(`demo-smart-account" content="${demoAccount}"`)
    const remote = await policyOf({ walletConnectProject: project })
    expect(remote.html).toContain(`walletconnect-project" content="${project}"`)
    const added = remote.policy.filter((part) => !plain.policy.includes(part))
    expect(added).toEqual([
      "connect-src 'self' wss://relay.walletconnect.org https://rpc.walletconnect.org wss://www.walletlink.org https://www.walletlink.org https://rpc.wallet.coinbase.com",
      'frame-src https://verify.walletconnect.org',
    ])
    expect(plain.policy).toContain("connect-src 'self'")
    expect(plain.policy.filter((part) => !remote.policy.includes(part))).toEqual(["connect-src 'self'"])
  })

  test('error: a web app without placeholders', async () => {
    const other = new URL('other/', folder)
    mkdirSync(other)
    writeFileSync(new URL('index.html', other), '<!doctype html>')
    await expect(serve({ webAppFolder: other, devnet: { relay, demoAccount } })).rejects.toThrow(ConfigurationError)
  })
})
