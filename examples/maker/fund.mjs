// Funds the demo's maker with loan tokens and approves the quote market. The allowance caps the maker's total exposure.
import { createWalletClient, http, parseAbi, parseUnits, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const { FIRMQUOTE_URL, RPC_URL, QUOTE_MARKET, PRIVATE_KEY } = process.env
const account = privateKeyToAccount(PRIVATE_KEY)
const client = createWalletClient({ account, transport: http(RPC_URL) }).extend(publicActions)
// Anyone can mint the demo's token.
const abi = parseAbi(['function mint(address to, uint256 amount)', 'function approve(address spender, uint256 amount)'])

const { pools } = await (await fetch(`${FIRMQUOTE_URL}/api/v1/pools/rates`)).json()
const { address, symbol, decimals } = pools[0].loanToken
const amount = parseUnits('1000000', decimals)
for (const call of [
  { functionName: 'mint', args: [account.address, amount] },
  { functionName: 'approve', args: [QUOTE_MARKET, amount] },
]) {
  const hash = await client.writeContract({ address, abi, chain: null, ...call })
  const { status } = await client.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`${call.functionName} reverted in ${hash}.`)
}
console.log(`${account.address} has 1,000,000 ${symbol} and has approved the quote market to spend them`)
