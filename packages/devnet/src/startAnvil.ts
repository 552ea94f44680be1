import { type ChildProcess, spawn } from 'node:child_process'
import { platform } from 'node:os'
import { findAnvilBinary } from './anvilBinary.ts'
import { accountCount } from './devnetAccounts.ts'
import { DevnetError } from './devnetError.ts'
import { type HostGate, openHostGate } from './hostGate.ts'

/** A running anvil process. */
export type Anvil = {
  readonly port: number
  readonly rpcUrl: string
  /** Process ids of anvil and of its guard, if any. */
  readonly pids: readonly number[]
  /** Resolves when the process has exited. */
  readonly exited: Promise<void>
  /** Stops the process and waits for it to exit. Idempotent. */
  stop(): Promise<void>
}

/**
 * Options for anvil. `port` 0 picks a free port. `blockTime` is in seconds. Without a block time, blocks are mined only
 * for transactions. If `allowOrigin` is omitted, all origins are allowed. If an origin is set, only its pages and
 * those served by this machine are allowed, and anvil runs behind a proxy, because CORS covers neither WebSockets nor DNS
 * rebinding.
 */
export type AnvilOptions = {
  readonly port: number
  readonly chainId: number
  readonly blockTime?: number
  readonly allowOrigin?: string
  /** The timestamp of the first block, in Unix seconds. Default: now. */
  readonly genesisTime?: number
  /** A file with the initial state, in the format of an unzipped `anvil_dumpState` response. */
  readonly stateFile?: string
}

const startTimeoutMs = 20_000

/**
 * Starts anvil on 127.0.0.1 and waits until it is listening. anvil stops when this process ends, even if it is killed.
 *
 * @throws {DevnetError} `PORT_IN_USE`, `ANVIL_NOT_INSTALLED`, `ANVIL_FAILED` or `ANVIL_TIMEOUT`. No process is left
 * running.
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const binary = findAnvilBinary()
  const { allowOrigin } = options
  const gate = allowOrigin === undefined ? undefined : await openGate(options.port, allowOrigin)
  const child = spawn(binary, anvilArguments(options, gate), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
    // A separate process group, so that Ctrl-C in a terminal reaches only this process, which controls the shutdown
    // order.
    detached: true,
  })
  const guard = child.pid === undefined ? undefined : guardAgainstOrphan(child.pid)
  const kill = () => {
    child.kill('SIGKILL')
  }
  process.on('exit', kill)
  const exited = ended(child).then(async () => {
    process.off('exit', kill)
    await guard?.release()
    await gate?.close()
  })

  try {
    const listening = await waitUntilListening(child, options.port)
    gate?.passTo(listening)
    const port = gate?.port ?? listening
    return {
      port,
      rpcUrl: `http://127.0.0.1:${port}`,
      pids: [child.pid, guard?.pid].filter((pid) => pid !== undefined),
      exited,
      async stop() {
        kill()
        await exited
      },
    }
  } catch (error) {
    kill()
    await exited
    throw error
  }
}

/** Resolves when a process has exited or has failed to start. */
function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => {
      if (child.pid === undefined) resolve()
    })
  })
}

async function openGate(port: number, allowOrigin: string): Promise<HostGate> {
  try {
    return await openHostGate(port, allowOrigin)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EADDRINUSE') throw portInUse(port)
    throw new DevnetError('ANVIL_FAILED', `Failed to open port ${port}.`, { cause })
  }
}

function anvilArguments(options: AnvilOptions, gate: HostGate | undefined): string[] {
  const { port, chainId, blockTime, allowOrigin, genesisTime, stateFile } = options
  const [host, own] = gate ? [gate.hiddenHost, 0] : ['127.0.0.1', port]
  const fixed = [
    '--host',
    host,
    '--port',
    String(own),
    '--chain-id',
    String(chainId),
    '--accounts',
    String(accountCount),
  ]
  if (allowOrigin !== undefined) fixed.push('--allow-origin', allowOrigin)
  if (genesisTime !== undefined) fixed.push('--timestamp', String(genesisTime))
  if (stateFile !== undefined) fixed.push('--load-state', stateFile)
  // Mixed mining creates a block at every interval and immediately for every transaction.
  return blockTime === undefined ? fixed : [...fixed, '--block-time', String(blockTime), '--mixed-mining']
}

function waitUntilListening(child: ChildProcess, wantedPort: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = ''
    const settle = (act: () => void) => {
      clearTimeout(timer)
      // Keep draining the output, so that anvil never blocks on a full pipe.
      for (const stream of [child.stdout, child.stderr]) stream?.off('data', read).resume()
      child.off('error', fail).off('close', end)
      act()
    }
    const read = (chunk: Buffer) => {
      output += chunk.toString('utf8')
      const port = /Listening on [^\s]+:(\d+)/.exec(output)?.[1]
      if (port !== undefined) settle(() => resolve(Number(port)))
    }
    const fail = (cause: Error) =>
      settle(() => reject(new DevnetError('ANVIL_FAILED', 'Failed to start anvil.', { cause })))
    const end = () => settle(() => reject(explainExit(output, wantedPort)))
    const timer = setTimeout(
      () => settle(() => reject(new DevnetError('ANVIL_TIMEOUT', 'anvil did not start listening within 20 seconds.'))),
      startTimeoutMs,
    )
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('error', fail).once('close', end)
  })
}

function explainExit(output: string, port: number): DevnetError {
  if (/address already in use|os error (48|98|10048)\b/i.test(output)) {
    return portInUse(port)
  }
  return new DevnetError('ANVIL_FAILED', `anvil exited before it was listening: ${output.trim().slice(-500)}`)
}

function portInUse(port: number): DevnetError {
  return new DevnetError(
    'PORT_IN_USE',
    `Port ${port} is already in use. Choose another with --port or the port option (0 picks a free one).`,
  )
}

/**
 * Ensures that anvil does not outlive this process. An `exit` listener would not run if this process were killed by a
 * signal. Instead, a shell waits for a pipe to close, which happens when this process ends, and then kills anvil.
 * `release` stops the shell and waits for it to exit.
 */
function guardAgainstOrphan(pid: number): { pid: number | undefined; release(): Promise<void> } | undefined {
  if (platform() === 'win32') return undefined
  const shell = spawn('/bin/sh', ['-c', 'read -r _ || kill -9 "$0"', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  const gone = ended(shell)
  shell.stdin.on('error', () => undefined)
  shell.unref()
  return {
    pid: shell.pid,
    async release() {
      shell.ref()
      shell.stdin.end('\n')
      await gone
    },
  }
}
