import { Chain, ClobClient, getContractConfig, OrderType, Side } from '@polymarket/clob-client-v2'
import { createWalletClient, erc20Abi, type Hex, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { polygon } from 'viem/chains'

const account = privateKeyToAccount(process.env['PRIVATE_KEY'] as Hex)
const signer = createWalletClient({ account, chain: polygon, transport: http() }).extend(publicActions)

// Once per wallet: an allowance.
const { collateral, exchangeV2 } = getContractConfig(Chain.POLYGON) as Record<string, Hex>
const token = { address: collateral, abi: erc20Abi } as const
const hash = await signer.writeContract({ ...token, functionName: 'approve', args: [exchangeV2, 300_000_000n] })
await signer.waitForTransactionReceipt({ hash })

const options = { host: 'https://clob.polymarket.com', chain: Chain.POLYGON, signer, throwOnError: true }
const creds = await new ClobClient(options).createOrDeriveApiKey()
const client = new ClobClient({ ...options, creds })
// An outcome of a market. Choose one that is open.
const tokenID = '71321045679252212594626385532706912750332728571942532289631379312455583992563'
console.log(await client.calculateMarketPrice(tokenID, Side.BUY, 250))
const order = { tokenID, side: Side.BUY, amount: 250, price: 0.6 }
const result = await client.createAndPostMarketOrder(order, undefined, OrderType.FOK)
for (const hash of result.transactionsHashes ?? []) await signer.waitForTransactionReceipt({ hash: hash as Hex })
console.log(result.status, result.takingAmount)
