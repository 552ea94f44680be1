import { connect } from 'node:net'

/**
 * Whether somebody listens on a socket: `silent` and `gone` only when the system says for sure that nobody does. Whoever
 * cannot be asked, because he has no room or no time, counts as there.
 */
export async function probeSocket(path: string): Promise<'answers' | 'silent' | 'gone'> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve('answers')
    })
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      resolve(code === 'ECONNREFUSED' ? 'silent' : code === 'ENOENT' ? 'gone' : 'answers')
    })
  })
}
