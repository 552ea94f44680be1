import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type ListeningServer, listenForTest } from '../../test/listenForTest.ts'
import { createScriptedService, testDomain } from '../../test/scriptedService.ts'

let server: ListeningServer
beforeAll(async () => {
  server = await listenForTest({ service: createScriptedService().service, domain: testDomain })
})
afterAll(() => server.close())

const get = (path: string, headers: Record<string, string> = {}) => fetch(server.url + path, { headers })

describe('/docs', () => {
  test('default: every part of the page comes from this server', async () => {
    const response = await get('/docs')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const page = await response.text()
    const parts = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url = '']) => url)
    expect(parts).toEqual([
      'data:,',
      '/docs/swagger-ui.css',
      '/openapi.json',
      '/docs/swagger-ui-bundle.js',
      '/docs/start.js',
    ])
    for (const part of parts.slice(1)) expect([part, (await get(part)).status]).toEqual([part, 200])
  })

  test('behavior: the policy forbids other origins and inline scripts', async () => {
    for (const path of ['/docs', '/docs/start.js', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css']) {
      const policy = (await get(path)).headers.get('content-security-policy') ?? ''
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /)
      expect(policy).not.toMatch(/unsafe|http|\*/)
    }
  })

  test.each([
    ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8', 'SwaggerUIBundle'],
    ['swagger-ui.css', 'text/css; charset=utf-8', '.swagger-ui'],
  ])('behavior: %s is sent with its type', async (file, type, content) => {
    const answer = await get(`/docs/${file}`)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(await answer.text()).toContain(content)
  })

  test.each(['/docs', '/docs/start.js', '/openapi.json', '/asyncapi.json'])(
    'behavior: %s is compressed, and a client that has it gets 304',
    async (path) => {
      const plain = await (await get(path, { 'accept-encoding': 'identity' })).text()
      for (const [accepted, encoding] of [
        ['br', 'br'],
        ['gzip', 'gzip'],
        ['identity', null],
      ] as const) {
        const first = await get(path, { 'accept-encoding': accepted })
        expect(first.headers.get('content-encoding')).toBe(encoding)
        expect(first.headers.get('vary')).toBe('Accept-Encoding')
        // fetch decompresses the body.
        expect(await first.text()).toBe(plain)
        const tag = first.headers.get('etag') ?? ''
        expect(tag).toMatch(/^"[\w-]{43}"$/)
        const again = await get(path, { 'accept-encoding': accepted, 'if-none-match': tag })
        expect([again.status, await again.text()]).toEqual([304, ''])
      }
    },
  )

  test('behavior: the document is built once, and its examples are updated after a minute', async () => {
    const clock = createFakeClock()
    let collected = 0
    const { service } = createScriptedService({
      book: {
        async list() {
          collected += 1
          return { quotes: [], nextCursor: null }
        },
      },
    })
    const listening = await listenForTest({ service, domain: testDomain, clock })
    const ask = async () => (await fetch(`${listening.url}/openapi.json`)).status
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([200, 200, 200])
    clock.advance(59_999)
    await ask()
    expect(collected).toBe(1)
    clock.advance(1)
    await ask()
    expect(collected).toBe(2)
    await listening.close()
  })

  test.each(['nothing.js', 'LICENSE', '..%2Fmain.js', '%2Fetc%2Fpasswd'])('error: no such file: %s', async (file) => {
    const response = await get(`/docs/${file}`)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'NOT_FOUND' })
  })
})
