import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type ListeningServer, listenForTest } from '../../test/listenForTest.ts'
import { createScriptedService, testDomain } from '../../test/scriptedService.ts'

const [inline, asset] = ["document.documentElement.classList.add('dark')", 'export const a = 1\n'.repeat(500)]
const pages: Record<string, string> = {
  'index.html': `<!doctype html><script src="/learn/assets/app.4f0c.js"></script><script id="a">${inline}</script>first`,
  '404.html': '<!doctype html>nothing here',
  'start/maker.html': '<!doctype html>for makers',
  'start/maker.md': '# For makers\n',
  'reference/sdk/index.html': '<!doctype html>the SDK',
  'assets/app.4f0c.js': asset,
  'assets/chunks/@index.1a2b.js': 'export {}',
  'code.css': 'code{}',
  'llms.txt': '# Firmquote\n',
  'removed.html': '<!doctype html>removed by its test',
  'notes.private': 'not for anybody',
}

/** The only copies of these files are compressed. */
const packed = ['index.html', 'start/maker.html', 'start/maker.md', 'assets/app.4f0c.js', 'code.css']

let folder: string
let server: ListeningServer
let bare: ListeningServer
const start = (docsSiteFolder: URL) =>
  listenForTest({ service: createScriptedService().service, domain: testDomain, docsSiteFolder })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'firmquote-learn-'))
  const site = join(folder, 'site')
  for (const [path, text] of Object.entries(pages)) {
    const file = join(site, path)
    mkdirSync(join(file, '..'), { recursive: true })
    if (packed.includes(path)) writeFileSync(`${file}.br`, brotliCompressSync(text))
    else writeFileSync(file, text)
  }
  writeFileSync(join(folder, 'secret.txt'), 'beside the site')
  server = await start(pathToFileURL(`${site}/`))
  bare = await start(pathToFileURL(`${folder}/none/`))
})
afterAll(async () => {
  await Promise.all([server.close(), bare.close()])
  rmSync(folder, { recursive: true })
})

/** Requests the path unchanged; fetch would resolve its dot segments. */
const getRaw = (path: string) =>
  new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    request({ host: '127.0.0.1', port: server.port, path }, (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      response.on('end', () => resolve({ status: response.statusCode, body }))
    })
      .on('error', reject)
      .end()
  })

describe('the documentation at /learn', () => {
  test.each([
    ['/learn', 'index.html', 'text/html; charset=utf-8'],
    ['/learn/', 'index.html', 'text/html; charset=utf-8'],
    ['/learn?from=a-mail', 'index.html', 'text/html; charset=utf-8'],
    ['/learn/start/maker', 'start/maker.html', 'text/html; charset=utf-8'],
    ['/learn/start/maker.html', 'start/maker.html', 'text/html; charset=utf-8'],
    ['/learn/start/maker.md', 'start/maker.md', 'text/markdown; charset=utf-8'],
    ['/learn/reference/sdk/', 'reference/sdk/index.html', 'text/html; charset=utf-8'],
    ['/learn/reference/sdk', 'reference/sdk/index.html', 'text/html; charset=utf-8'],
    ['/learn/code.css', 'code.css', 'text/css; charset=utf-8'],
    ['/learn/llms.txt', 'llms.txt', 'text/plain; charset=utf-8'],
  ])('default: %s is %s, and asked for every time', async (path, file, type) => {
    const response = await fetch(server.url + path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(await response.text()).toBe(pages[file])
  })

  test.each([
    ['/learn/assets/app.4f0c.js', 'br', 'br'],
    ['/learn/assets/app.4f0c.js', 'gzip', 'gzip'],
    ['/learn/assets/app.4f0c.js', 'identity', null],
    ['/learn/assets/chunks/@index.1a2b.js', 'br', null],
  ])(
    'behavior: %s for a client that accepts %s is immutable, has the encoding %s, and is sent again only when it differs',
    async (path, encoding, sent) => {
      const accepted = { 'accept-encoding': encoding, 'cache-control': 'max-age=0' }
      const response = await fetch(server.url + path, { headers: accepted })
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(response.headers.get('content-encoding')).toBe(sent)
      expect(response.headers.get('vary')).toBe(path.includes('chunks') ? null : 'Accept-Encoding')
      expect(await response.text()).toBe(pages[path.replace('/learn/', '')])
      const tag = response.headers.get('etag') ?? ''
      const again = await fetch(server.url + path, { headers: { ...accepted, 'if-none-match': tag } })
      expect([again.status, await again.text()]).toEqual([304, ''])
    },
  )

  test("behavior: the policy allows only the site's own scripts, with inline scripts by hash", async () => {
    const { headers } = await fetch(`${server.url}/learn/start/maker`)
    const hash = createHash('sha256').update(inline).digest('base64')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining(["default-src 'none'", `script-src 'self' 'sha256-${hash}'`, "style-src 'self'"]),
    )
    expect(policy).not.toContain('unsafe')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  test.each(['/learn/start', '/learn/missing', '/learn/assets/app.js', '/learn/notes.private', '/learn/code.css.br'])(
    'error: %s is the 404 page, with 404 for any tag',
    async (path) => {
      const response = await fetch(server.url + path, {
        headers: { 'if-none-match': '*', 'cache-control': 'max-age=0' },
      })
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('cache-control')).toBe('no-cache')
      expect(await response.text()).toBe(pages['404.html'])
    },
  )

  test.each([
    '/learn/../secret.txt',
    '/learn/start/../../secret.txt',
    '/learn/%2e%2e/secret.txt',
    '/learn/..%2fsecret.txt',
    '/learn/..%5csecret.txt',
    '/learn//secret.txt',
    '/learn/start/maker.html%00.md',
  ])('error: %s leads nowhere', async (path) => {
    const { status, body } = await getRaw(path)
    expect(status).toBe(404)
    expect(body).not.toContain('beside the site')
  })

  test('error: a page removed after startup', async () => {
    rmSync(join(folder, 'site/removed.html'))
    const response = await fetch(`${server.url}/learn/removed`)
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('was replaced while the server was running. Restart the server')
  })

  test('error: another method', async () => {
    const response = await fetch(`${server.url}/learn/start/maker`, { method: 'POST' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET'])
  })

  test.each(['/learn', '/learn/start/maker'])('error: %s before it was built names the command', async (path) => {
    const response = await fetch(bare.url + path)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await response.text()).toContain('run <code>npm run docs</code>')
  })
})
