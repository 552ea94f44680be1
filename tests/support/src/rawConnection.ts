import { once } from 'node:events'
import { connect } from 'node:net'

/** Opens a connection for raw bytes, as with `nc -U`. It stays half-open when the other side ends. */
export async function openRawConnection(path: string) {
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
    /** Resolves when both sides have ended. */
    closed,
    write: (bytes: Buffer | string) => void socket.write(bytes),
    /** Returns the next response, in order of arrival. Rejects if the connection ends first. */
    next,
    /** Sends a value as a line and reads the next answer. */
    ask(value: unknown) {
      socket.write(`${JSON.stringify(value)}\n`)
      return next()
    },
    /** Returns all remaining answers until the other side ends the connection. */
    async rest() {
      await ended
      return answers.splice(0)
    },
  }
}
