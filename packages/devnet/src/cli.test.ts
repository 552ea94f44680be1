import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from '@jest/globals'
import { backers, borrowers, deployer } from './devnetAccounts.ts'
import { devnetAddresses } from './devnetAddresses.ts'
import { devnetMarkets } from './devnetMarkets.ts'
import { testTokenAbi } from './generated/testToken.ts'
import { startDevnet } from './startDevnet.ts'

const cli = join(import.meta.dirname, 'cli.ts')
const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

function run(...args: string[]) {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8')
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8')
  })
  return {
    child,
    closed: once(child, 'close').then(([code, signal]) => ({ code, signal, stdout, stderr })),
    /** Waits until the output contains `text`, then returns all output so far. */
    async printed(text: string): Promise<string> {
      while (!stdout.includes(text)) await once(child.stdout, 'data')
      return stdout
    },
  }
}

/** Opens a connection that closes when the chain stops. */
async function watchChain(output: string): Promise<{ ended: Promise<string> }> {
  const socket = connect(Number(/127\.0\.0\.1:(\d+)/.exec(output)?.[1]), '127.0.0.1')
  await once(socket, 'connect')
  // A connection reset is expected.
  socket.on('error', () => undefined)
  return { ended: new Promise((resolve) => socket.once('close', () => resolve('ended'))) }
}

describe('firmquote-devnet', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'default: prints where everything is, and %s stops it and its chain',
    async (signal) => {
      const { child, closed, printed } = run('--port=0', '--chain-id', '31337', '--block-time', '5')
      const output = await printed('Ctrl-C stops it.')
      expect(output).toContain('chain 31337')
      const values = [
        ...Object.values(devnetAddresses),
        ...devnetMarkets.map(({ poolId }) => poolId),
        ...[deployer, ...backers, ...borrowers].flatMap(({ address, privateKey }) => [address, privateKey]),
      ]
      for (const value of values) expect(output).toContain(value)
      const chain = await watchChain(output)
      child.kill(signal)
      expect(await closed).toMatchObject({ code: 0, signal: null, stderr: '' })
      expect(await chain.ended).toBe('ended')
    },
  )

  it('behavior: even when it is killed outright, its chain does not outlive it', async () => {
    const { child, closed, printed } = run('--port', '0')
    const chain = await watchChain(await printed('Ctrl-C stops it.'))
    child.kill('SIGKILL')
    expect(await closed).toMatchObject({ signal: 'SIGKILL' })
    expect(await chain.ended).toBe('ended')
  })

  it('behavior: fund gives an account coins and loan tokens; without a devnet it is one sentence', async () => {
    const devnet = await startDevnet()
    const { port } = new URL(devnet.rpcUrl)
    const address = `0x${'ab'.repeat(20)}` as const
    const { code, stdout } = await run('fund', address, '--port', port).closed
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(address) })
    expect(await devnet.publicClient.getBalance({ address })).toBe(10n ** 19n)
    const balance = { address: devnetAddresses.loanToken, abi: testTokenAbi, functionName: 'balanceOf' } as const
    expect(await devnet.publicClient.readContract({ ...balance, args: [address] })).toBe(10n ** 12n)
    await devnet.stop()
    expect(await run('fund', address, '--port', port).closed).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: `Failed to fund ${address}: there is no devnet at http://127.0.0.1:${port}.\n`,
    })
  })

  it('behavior: --help', async () => {
    const { code, stdout } = await run('--help').closed
    expect(code).toBe(0)
    expect(stdout).toContain('--block-time')
  })

  it('error: an unknown option', async () => {
    const { code, stdout, stderr } = await run('--prot', '1').closed
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain("Unknown option '--prot'")
    expect(stderr).toContain('--port <number>')
  })

  it('error: a taken port is one sentence', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    try {
      const { code, stderr } = await run('--port', String(port)).closed
      expect(code).toBe(1)
      expect(stderr).toMatch(new RegExp(`^Port ${port} is already in use\\. Choose another with --port.*\\n$`))
    } finally {
      server.close()
    }
  })
})
