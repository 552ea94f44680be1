import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '@firmquote/cluster/freePort'
import { type DevnetAccount, devnetAddresses } from '@firmquote/devnet'
import { ServiceClient } from '@firmquote/sdk'
import { startingEnvironment } from '@firmquote/test-support/startProgram'
import { watchOutput } from '@firmquote/test-support/watchOutput'
import {
  type Address,
  createTestClient,
  createWalletClient,
  erc20Abi,
  http,
  publicActions,
  type TransactionReceipt,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { root } from '../pack.ts'

/** What `npm start` runs, on ports of its own: the chain, the server with the web client, and the backers. */
export type Demo = {
  url: string
  rpcUrl: string
  /** What it has printed so far. */
  output(): string
  client: ServiceClient
  /** Reads and controls the chain. */
  chain: ReturnType<typeof createChain>
  /** Sends a transaction of an account and waits for its block. */
  send(account: Pick<DevnetAccount, 'privateKey'>, call: object): Promise<TransactionReceipt>
  /** An account's loan tokens, raw units. */
  balanceOf(owner: Address): Promise<bigint>
  /** How many of an account's loan tokens the quote market may move, raw units. */
  allowanceOf(owner: Address): Promise<bigint>
  /** Stops the server alone; the chain and the backers stay. */
  stopServer(): Promise<void>
  /** Starts it again on the same port, with the same database, and waits until the backers are back. */
  startServer(): Promise<void>
  stop(): Promise<void>
}

const token = { address: devnetAddresses.loanToken, abi: erc20Abi } as const

function createChain(rpcUrl: string) {
  const options = { mode: 'anvil', chain: base, transport: http(rpcUrl), pollingInterval: 100 } as const
  return createTestClient(options).extend(publicActions)
}

/**
 * Starts it as `npm start` does once everything is built, and waits until it is ready.
 *
 * @param environment is added to that of all of its parts, as in `{ AUCTION_DURATION_MS: '1500' }`.
 * @param program its sources, or what `npm run build` has made of them, with compressed files for browsers.
 * @throws {TypeError} with what it printed, when it ends instead.
 */
export async function startDemo(
  environment: Record<string, string> = {},
  program: 'sources' | 'built' = 'sources',
): Promise<Demo> {
  const ports = { PORT: String(await freePort()), RPC_PORT: String(await freePort()) }
  const env: NodeJS.ProcessEnv = { ...process.env, ...startingEnvironment(), ...ports, ...environment }
  if (program === 'built') env['NODE_OPTIONS'] = ''
  const rpcUrl = `http://127.0.0.1:${env['RPC_PORT']}`
  const child = spawn(
    process.execPath,
    [join(root, 'apps/demo', program === 'built' ? 'dist/main.js' : 'src/main.ts')],
    {
      cwd: root,
      env,
      // It stops when the channel closes, so it does not outlive this process.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  )
  const { output, says, ended } = watchOutput(child)
  const chain = createChain(rpcUrl)
  /** The demo answers a message with the same one when it has obeyed. */
  const tell = async (message: string) => {
    child.send(message)
    await Promise.race([once(child, 'message'), ended.then(() => Promise.reject(new TypeError(output())))])
  }
  const [, url = ''] = await says(/^ready (http:\S+)$/m)
  return {
    url,
    rpcUrl,
    output,
    client: new ServiceClient({ orderbookUrl: url }),
    chain,
    async send({ privateKey }, call) {
      const account = privateKeyToAccount(privateKey)
      const wallet = createWalletClient({ account, chain: base, transport: http(rpcUrl) })
      return chain.waitForTransactionReceipt({ hash: await wallet.writeContract(call as never) })
    },
    balanceOf: (owner) => chain.readContract({ ...token, functionName: 'balanceOf', args: [owner] }),
    allowanceOf: (owner) =>
      chain.readContract({ ...token, functionName: 'allowance', args: [owner, devnetAddresses.quoteMarket] }),
    stopServer: () => tell('stop server'),
    startServer: () => tell('start server'),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
