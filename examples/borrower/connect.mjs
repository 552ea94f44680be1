// Shared by both programs: the service, the chain, and the borrower's account.
import { ServiceClient } from '@firmquote/sdk'
import { createPublicClient, createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'

const [orderbookUrl = 'http://localhost:3005', rpcUrl = 'http://127.0.0.1:8545'] = process.argv.slice(2)
const transport = http(rpcUrl)
// The key of the devnet's fourth newcomer. The key is public; never use it anywhere else.
const demoKey = '0x47c99abed3324a2707c28affff1267e45918ec8c3f20b8aa892e8b065d2942dd'

export const account = privateKeyToAccount(demoKey)
export const client = new ServiceClient({ orderbookUrl })
export const publicClient = createPublicClient({ chain: base, transport, pollingInterval: 500 })
const walletClient = createWalletClient({ account, chain: base, transport })

/** Sends a call and waits until it is mined. */
export async function send(call) {
  return publicClient.waitForTransactionReceipt({ hash: await walletClient.writeContract(call) })
}
