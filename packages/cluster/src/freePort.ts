import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Stay below the ephemeral port range (from 32,768 on Linux). An outgoing connection could take a port in that range before
// the program listens on it.
const [first, last] = [15_000, 32_767]

/** Returns a port that no program is listening on. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(first, last + 1)
    if (await isFree(port)) return port
  }
  throw new Error(`None of 100 ports from ${first} to ${last} was free.`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().on('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
}
