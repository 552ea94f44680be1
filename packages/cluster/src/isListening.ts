import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** Whether a program is listening on a port of 127.0.0.1. With `tls`, whether it also has a certificate for `localhost`. */
export function isListening(port: number, { tls = false } = {}): Promise<boolean> {
  return new Promise((resolve) => {
    const address = { host: '127.0.0.1', port }
    const found = () => {
      socket.destroy()
      resolve(true)
    }
    const socket = tls
      ? connectTls({ ...address, servername: 'localhost', rejectUnauthorized: false }, found)
      : connect(address, found)
    socket.on('error', () => resolve(false))
  })
}
