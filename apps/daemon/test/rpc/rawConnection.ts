import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A socket connection for writing raw bytes, as with `nc -U`. */
export type RawConnection = {
  socket: Socket
  /** Writes raw bytes. */
  write(bytes: Buffer | string): void
  /** Returns the next response, in order of arrival. Rejects if the connection ends first. */
  next(): Promise<unknown>
  /** Sends a value as a line and reads the next answer. */
  ask(value: unknown): Promise<unknown>
  /** Returns all remaining answers until the other side ends the connection. */
  rest(): Promise<unknown[]>
  /** Resolves when both sides have ended. */
  closed: Promise<void>
}

/** Opens a connection that stays half-open when the other side ends. */
export async function openRawConnection(path: string): Promise<RawConnection> {
  const socket = connect({ path, allowHalfOpen: true })
  const answers: unknown[] = []
  const waiting: { resolve(value: unknown): void; reject(error: Error): void }[] = []
  let text = ''
  socket.setEncoding('utf8')
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    const lines = (text + chunk).split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      const answer: unknown = JSON.parse(line)
      const first = waiting.shift()
      if (first) first.resolve(answer)
      else answers.push(answer)
    }
  })
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close']) socket.once(event, resolve)
  })
  void ended.then(() => {
    for (const { reject } of waiting) reject(new Error('the connection has ended'))
  })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await once(socket, 'connect')
  const next = () =>
    answers.length > 0
      ? Promise.resolve(answers.shift())
      : new Promise<unknown>((resolve, reject) => waiting.push({ resolve, reject }))
  return {
    socket,
    closed,
    write: (bytes) => void socket.write(bytes),
    next,
    ask(value) {
      socket.write(`${JSON.stringify(value)}\n`)
      return next()
    },
    async rest() {
      await ended
      return answers.splice(0)
    },
  }
}
