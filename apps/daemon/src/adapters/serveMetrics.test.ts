import { request } from 'node:http'
import { afterEach, describe, expect, test } from '@jest/globals'
import { type ServedMetrics, serveMetrics } from './serveMetrics.ts'

let served: ServedMetrics | undefined
afterEach(async () => {
  await served?.close()
  served = undefined
})

/** Sends a request to the port and returns the response's status and body. */
function ask(port: number, path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
      .on('error', reject)
      .end()
  })
}

describe('serveMetrics', () => {
  test('default: the page, and nothing else', async () => {
    served = await serveMetrics(0, async () => 'one 1\n')
    const { port } = served
    expect(await ask(port, '/metrics')).toEqual({ status: 200, text: 'one 1\n' })
    expect(await ask(port, '/metrics', { host: `localhost:${port}` })).toMatchObject({ status: 200 })
    expect(await ask(port, '/')).toMatchObject({ status: 404 })
    expect(await ask(port, '/metrics', {}, 'POST')).toMatchObject({ status: 404 })
  })

  test("behavior: another site's name is refused", async () => {
    served = await serveMetrics(0, async () => 'one 1\n')
    expect(await ask(served.port, '/metrics', { host: 'evil.example' })).toEqual({ status: 403, text: '' })
  })

  test('behavior: unreadable metrics return 503', async () => {
    served = await serveMetrics(0, () => Promise.reject(new TypeError('no')))
    expect(await ask(served.port, '/metrics')).toEqual({ status: 503, text: '' })
  })

  test('error: a port that is taken', async () => {
    served = await serveMetrics(0, async () => '')
    await expect(serveMetrics(served.port, async () => '')).rejects.toMatchObject({ name: 'ConfigurationError' })
  })
})
