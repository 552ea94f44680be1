import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Systems take the near ends of outgoing connections from above (Linux from 32,768 on): a port of theirs may be taken
// between its choice and its use.
const [first, last] = [15_000, 32_767]

/** A port of this machine that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(first, last + 1)
    if (await isFree(port)) return port
  }
  throw new Error(`Of a hundred ports from ${first} to ${last} none was free.`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port)
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
