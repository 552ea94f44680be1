import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '@firmquote/cluster/freePort'
import { type DevnetAccount, devnetAddresses } from '@firmquote/devnet'
import { ServiceClient } from '@firmquote/sdk'
import { startingEnvironment } from '@firmquote/test-support/startProgram'
import { watchOutput } from '@firmquote/test-support/watchOutput'
import { type Address, createTestClient, createWalletClient, erc20Abi, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { root } from '../pack.ts'

export type Demo = Awaited<ReturnType<typeof startDemo>>

/**
 * Starts the programs of `npm start` (the chain, the server with the web app, the backers) on free ports, and waits
 * until they are ready.
 *
 * @param environment added to the environment of all programs, for example `{ AUCTION_DURATION_MS: '1500' }`.
 * @param program whether to run from source or from the output of `npm run build`, which has compressed files for
 * browsers.
 * @throws {TypeError} if the demo exits. The message is its output.
 */
export async function startDemo(environment: Record<string, string> = {}, program: 'sources' | 'built' = 'sources') {
  const ports = { PORT: String(await freePort()), RPC_PORT: String(await freePort()) }
  const env: NodeJS.ProcessEnv = { ...process.env, ...startingEnvironment(), ...ports, ...environment }
  if (program === 'built') env['NODE_OPTIONS'] = ''
  const main = join(root, 'apps/demo', program === 'built' ? 'dist/main.js' : 'src/main.ts')
  // The demo exits when the IPC channel closes, so it does not outlive this process.
  const child = spawn(process.execPath, [main], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  const { output, says, ended } = watchOutput(child)
  const rpcUrl = `http://127.0.0.1:${env['RPC_PORT']}`
  const onChain = { chain: base, transport: http(rpcUrl), pollingInterval: 100 } as const
  const chain = createTestClient({ mode: 'anvil', ...onChain }).extend(publicActions)
  const token = { address: devnetAddresses.loanToken, abi: erc20Abi } as const
  /** Sends the demo a command and waits until the demo echoes it, which confirms its execution. */
  const tell = async (message: string) => {
    child.send(message)
    await Promise.race([once(child, 'message'), ended.then(() => Promise.reject(new TypeError(output())))])
  }
  const [, url = ''] = await says(/^ready (http:\S+)$/m)
  return {
    url,
    rpcUrl,
    /** The demo's output so far. */
    output,
    client: new ServiceClient({ orderbookUrl: url }),
    /** Reads and controls the chain. */
    chain,
    /** Sends a transaction from an account and waits until it is in a block. */
    async send({ privateKey }: Pick<DevnetAccount, 'privateKey'>, call: object) {
      const wallet = createWalletClient({ account: privateKeyToAccount(privateKey), ...onChain })
      return chain.waitForTransactionReceipt({ hash: await wallet.writeContract(call as never) })
    },
    /** An account's loan token balance, in raw units. */
    balanceOf: (owner: Address) => chain.readContract({ ...token, functionName: 'balanceOf', args: [owner] }),
    /** An account's loan token allowance in raw units, by default for the quote market. */
    allowanceOf: (owner: Address, spender: Address = devnetAddresses.quoteMarket) =>
      chain.readContract({ ...token, functionName: 'allowance', args: [owner, spender] }),
    /** Stops only the server. */
    stopServer: () => tell('stop server'),
    /** Restarts the server with the same port and database, and waits until the backers have reconnected. */
    startServer: () => tell('start server'),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
