import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A call that the daemon received. */
export type DaemonCall = { jsonrpc: string; id: string; method: string; params?: unknown }

/** The daemon's side of a private Unix socket. The test supplies the responses to calls. */
export async function startDaemon(answer: (call: DaemonCall, socket: Socket) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-daemon-'))
  const path = join(folder, 'service.sock')
  const calls: DaemonCall[] = []
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    let text = ''
    socket.setEncoding('utf8')
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        const call = JSON.parse(line)
        calls.push(call)
        answer(call, socket)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  chmodSync(path, 0o600)
  return {
    path,
    folder,
    calls,
    sockets,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true })
    },
  }
}

/** Responds with a result. */
export function sendResult(socket: Socket, { id }: DaemonCall, result: unknown): void {
  socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
}
