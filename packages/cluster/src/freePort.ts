import { randomInt } from 'node:crypto'
import { createServer, type ListenOptions, type Server } from 'node:net'

// Stay below the ephemeral port range (from 32,768 on Linux). An outgoing connection could take a port in that range before
// the program listens on it.
const [first, last] = [15_000, 32_767]

/** Returns a port that no program is listening on, and that this function returns to no other program on this machine. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(first, last + 1)
    if ((await isFree(port)) && (await reserve(port))) return port
  }
  throw new Error(`None of 100 ports from ${first} to ${last} was free.`)
}

async function isFree(port: number): Promise<boolean> {
  const server = await listen({ port })
  server?.close()
  return server !== null
}

/**
 * Reserves a port until this process ends, because the program that will use it may listen only seconds later. Linux
 * releases an abstract socket with its process. Other systems have none and reserve nothing.
 */
async function reserve(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true
  const server = await listen({ path: `\0firmquote-port-${port}` })
  server?.unref()
  return server !== null
}

function listen(options: ListenOptions): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer().on('error', () => resolve(null))
    server.listen(options, () => resolve(server))
  })
}
