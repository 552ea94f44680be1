import { createServer } from 'node:net'
import { commands } from './commands.ts'
import { DemoError } from './demoError.ts'

/**
 * Reads a port from an environment variable.
 *
 * @throws {DemoError} if the value is not a port.
 */
export function parsePort(name: string, fallback: number): number {
  const text = process.env[name]
  if (text === undefined || text === '') return fallback
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new DemoError(`${name} must be a port from 1 to 65535, not "${text}".`)
  }
  return port
}

/**
 * Checks that a port is free.
 *
 * @throws {DemoError} if the port is in use.
 */
export async function requireFreePort(name: string, port: number): Promise<void> {
  // A listener on one address family does not block the other. Check both addresses that "localhost" may resolve to.
  for (const host of ['127.0.0.1', '::1']) {
    const code = await new Promise<string | undefined>((resolve) => {
      const probe = createServer()
      probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      probe.listen(port, host, () => probe.close(() => resolve(undefined)))
    })
    if (code === 'EADDRINUSE' || code === 'EACCES') {
      const why = code === 'EACCES' ? 'requires more privileges' : 'is in use'
      throw new DemoError(`Port ${port} ${why}. Choose another port: ${name}=${port + 1000} ${commands.demo}`)
    }
  }
}
