import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import { platform } from 'node:os'
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

/** Sends a request with the given `Host` and returns the response's status. */
async function statusFor(port: number, host: string): Promise<number | undefined> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  const headers = { host, 'content-type': 'application/json', 'content-length': body.length }
  const sent = request({ host: '127.0.0.1', port, method: 'POST', headers, agent: false })
  sent.end(body)
  const [answer] = await once(sent, 'response')
  let text = ''
  for await (const part of answer) text += part
  expect(text.includes('"0x2105"')).toBe(answer.statusCode === 200)
  return answer.statusCode
}

const upgradeTo = (host: string, origin?: string) =>
  `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
  `Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n${origin === undefined ? '' : `Origin: ${origin}\r\n`}\r\n`

/**
 * Requests a WebSocket upgrade with the given `Host`. Returns the first data received, or nothing if the connection
 * closes first.
 */
async function connectSocket(port: number, host: string, origin?: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(upgradeTo(host, origin))
  const [first] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])])
  socket.destroy()
  return String(first)
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

  it('behavior: a browser lets pages of one origin and of this machine alone use it', async () => {
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
        expect(response.ok).toBe(true)
        expect(response.headers.get('access-control-allow-methods')).toMatch(/POST|\*/)
        expect(response.headers.get('access-control-allow-headers')).toMatch(/content-type|\*/)
        const read = await fetch(anvil.rpcUrl, {
          method: 'POST',
          headers: { origin, 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
        })
        const allowedOrigin = response.headers.get('access-control-allow-origin')
        expect(read.headers.get('access-control-allow-origin')).toBe(allowedOrigin)
        return allowedOrigin
      }
      // The allowed origin differs from the page's origin, so the browser blocks the request.
      expect(await allowed('https://example.com')).toBe(own)
      for (const origin of [own, 'http://localhost:5173', 'http://127.0.0.1:5173', 'http://[::1]:5173']) {
        expect(await allowed(origin)).toBe(origin)
      }
      for (const origin of ['null', 'http://localhost.evil.example', 'http://127.evil.example', 'http://192.168.0.2']) {
        expect(await allowed(origin)).toBe(own)
      }
    } finally {
      await anvil.stop()
    }
  })

  it('behavior: for one origin it answers to names of this machine alone, over HTTP and WebSocket', async () => {
    const anvil = await startAnvil({ port: 0, chainId, allowOrigin: 'http://localhost:3005' })
    try {
      const { port, rpcUrl, pids } = anvil
      expect(rpcUrl).toBe(`http://127.0.0.1:${port}`)
      expect(await statusFor(port, `evil.example:${port}`)).toBe(403)
      expect(await statusFor(port, 'localhost.evil.example')).toBe(403)
      expect(await statusFor(port, 'a b')).toBe(403)
      for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, 'demo.localhost']) {
        expect(await statusFor(port, host)).toBe(200)
      }
      const own = `localhost:${port}`
      expect(await connectSocket(port, own)).toContain('101 Switching Protocols')
      expect(await connectSocket(port, own, 'http://localhost:3005')).toContain('101 Switching Protocols')
      expect(await connectSocket(port, own, 'http://localhost:5173')).toContain('101 Switching Protocols')
      expect(await connectSocket(port, own, 'https://evil.example')).toBe('')
      expect(await connectSocket(port, `evil.example:${port}`)).toBe('')
      // anvil itself must not be reachable at the well-known address either.
      if (platform() === 'linux') {
        expect(readFileSync(`/proc/${pids[0]}/cmdline`, 'utf8')).not.toContain('127.0.0.1')
      }
    } finally {
      await anvil.stop()
    }
    const again = await startAnvil({ port: anvil.port, chainId, allowOrigin: 'http://localhost:3005' })
    await again.stop()
    expect(again.port).toBe(anvil.port)
  })

  it('behavior: a gate closes with anvil, and with its sockets', async () => {
    const anvil = await startAnvil({ port: 0, chainId, allowOrigin: 'http://localhost:3005' })
    const socket = connect(anvil.port, '127.0.0.1')
    const closed = once(socket, 'close')
    socket.resume().write(upgradeTo(`localhost:${anvil.port}`))
    await once(socket, 'data')
    process.kill(anvil.pids[0] ?? Number.NaN, 'SIGKILL')
    await anvil.exited
    await closed
    await expect(fetch(anvil.rpcUrl)).rejects.toThrow()
  })

  it('behavior: it says when anvil ends by itself', async () => {
    const anvil = await startAnvil({ port: 0, chainId })
    // Use SIGKILL, because anvil would handle SIGTERM.
    process.kill(anvil.pids[0] ?? Number.NaN, 'SIGKILL')
    await anvil.exited
    expect(anvil.pids.some(isAlive)).toBe(false)
    await anvil.stop()
  })

  it.each([{}, { allowOrigin: 'http://localhost:3005' }])('error: a taken port, with %j', async (gated) => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const listeners = process.listenerCount('exit')
    try {
      await expect(startAnvil({ port, chainId, ...gated })).rejects.toMatchObject({
        name: 'DevnetError',
        code: 'PORT_IN_USE',
        shortMessage: `Port ${port} is already in use. Choose another with --port or the port option (0 picks a free one).`,
      })
      expect(process.listenerCount('exit')).toBe(listeners)
    } finally {
      server.close()
    }
  })
})
