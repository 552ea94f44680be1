import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Systems take the near ends of outgoing connections from above (Linux from 32,768 on): a port of theirs may be taken
// between its choice and its use.
const [first, last] = [15_000, 32_767]

/** A port of this machine that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const port = randomInt(first, last + 1)
  return (await isFree(port)) ? port : freePort()
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().on('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
}
