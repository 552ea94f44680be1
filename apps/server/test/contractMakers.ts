import { deserializeSignedQuote, type QuoteMarketQuote, type SignedQuote } from '@firmquote/core'
import { type Devnet, type DevnetAccount, testTokenAbi } from '@firmquote/devnet'
import { encodeFunctionData, getAddress, type Hex } from 'viem'
import {
  switchableErc1271WalletAbi,
  switchableErc1271WalletBytecode,
} from '../../../packages/devnet/test/testContracts.ts'
import { createQuote, domainOf, signQuote } from './signedQuotes.ts'

/** A contract maker with one owner that can be made to misbehave. */
export type ContractMaker = Awaited<ReturnType<typeof deployContractMaker>>

const behaviours = { honest: 0, 'burns gas': 1, 'consents to readings only': 2 } as const
const funds = 100_000_000_000n
const abi = switchableErc1271WalletAbi

/**
 * Deploys a contract maker that holds 100,000 tUSD from its owner and lets the quote market spend all of it.
 */
export async function deployContractMaker(devnet: Devnet, owner: DevnetAccount) {
  const { loanToken, quoteMarket } = devnet.contracts
  const wallet = devnet.walletClient(owner)
  const wait = async (hash: Hex) => {
    const receipt = await devnet.publicClient.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new RangeError('A transaction of a test has failed.')
    return receipt
  }
  const deployed = await wait(
    await wallet.deployContract({ abi, bytecode: switchableErc1271WalletBytecode, args: [owner.address] }),
  )
  if (!deployed.contractAddress) throw new RangeError('There is no contract.')
  const address = getAddress(deployed.contractAddress)
  const token = { address: loanToken, abi: testTokenAbi } as const
  await wait(await wallet.writeContract({ ...token, functionName: 'transfer', args: [address, funds] }))
  const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'approve', args: [quoteMarket, funds] })
  await wait(await wallet.writeContract({ address, abi, functionName: 'execute', args: [loanToken, data] }))
  return {
    address,
    owner,
    /** Creates a quote that a devnet's service accepts unless `changes` makes it invalid. */
    async quote(changes: Partial<QuoteMarketQuote> = {}): Promise<SignedQuote> {
      const terms = createQuote(devnet, owner, { maker: address, ...changes })
      return deserializeSignedQuote(await signQuote(owner, domainOf(devnet), terms))
    },
    async behave(as: keyof typeof behaviours) {
      const args = [behaviours[as]] as const
      await wait(await wallet.writeContract({ address, abi, functionName: 'setBehaviour', args }))
    },
  }
}
