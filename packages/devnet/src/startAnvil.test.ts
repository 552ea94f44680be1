import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import { startAnvil } from './startAnvil.ts'

const chainId = 8453

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('startAnvil', () => {
  it('default: listens on the free port it names, until stop has ended every process', async () => {
    const listeners = process.listenerCount('exit')
    const anvil = await startAnvil({ port: 0, chainId })
    try {
      expect(anvil.pids.length).toBeGreaterThan(0)
      expect(anvil.pids.every(isAlive)).toBe(true)
      expect(anvil.rpcUrl).toBe(`http://127.0.0.1:${anvil.port}`)
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(anvil.rpcUrl, { method: 'POST', headers, body })
      expect(await response.json()).toMatchObject({ result: '0x2105' })
    } finally {
      await anvil.stop()
    }
    expect(anvil.pids.some(isAlive)).toBe(false)
    expect(process.listenerCount('exit')).toBe(listeners)
  })

  it('behavior: a browser lets pages of one origin alone use it', async () => {
    const own = 'http://localhost:3005'
    const anvil = await startAnvil({ port: 0, chainId, allowOrigin: own })
    try {
      const allowed = async (origin: string) => {
        const response = await fetch(anvil.rpcUrl, {
          method: 'OPTIONS',
          headers: {
            origin,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'content-type',
          },
        })
        return response.headers.get('access-control-allow-origin')
      }
      // What is allowed is another origin than that of the page: the browser sends nothing.
      expect([null, own]).toContain(await allowed('https://example.com'))
      expect(await allowed(own)).toBe(own)
    } finally {
      await anvil.stop()
    }
  })

  it('behavior: it says when anvil ends by itself', async () => {
    const anvil = await startAnvil({ port: 0, chainId })
    // Not SIGTERM, which anvil handles by itself.
    process.kill(anvil.pids[0] ?? Number.NaN, 'SIGKILL')
    await anvil.exited
    expect(anvil.pids.some(isAlive)).toBe(false)
    await anvil.stop()
  })

  it('behavior: the same port can be had again after stop', async () => {
    const first = await startAnvil({ port: 0, chainId })
    await first.stop()
    const second = await startAnvil({ port: first.port, chainId })
    await second.stop()
    expect(second.port).toBe(first.port)
  })

  it('error: a taken port', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const listeners = process.listenerCount('exit')
    try {
      await expect(startAnvil({ port, chainId })).rejects.toMatchObject({
        name: 'DevnetError',
        code: 'PORT_IN_USE',
        shortMessage: `Port ${port} is taken on this machine. Choose another one with --port or the option port (0 takes a free one).`,
      })
      expect(process.listenerCount('exit')).toBe(listeners)
    } finally {
      server.close()
    }
  })
})
