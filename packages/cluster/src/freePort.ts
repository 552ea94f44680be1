import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Stay below the ephemeral port range (from 32,768 on Linux). A port in that range may be used by an outgoing connection
// between its choice and its use.
const [first, last] = [15_000, 32_767]

/** Returns a port on which no program listens. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(first, last + 1)
    if (await isFree(port)) return port
  }
  throw new Error(`Of 100 ports from ${first} to ${last}, none was free.`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().on('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
}
