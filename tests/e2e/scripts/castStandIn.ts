// Runs the documentation's `cast` commands, in place of Foundry's program, which is too large to download for a test.
import { type AbiFunction, type Address, createWalletClient, type Hex, http, parseAbiItem, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const args = process.argv.slice(2)
const option = (name: string) => {
  const at = args.indexOf(name)
  return at < 0 ? '' : (args.splice(at, 2)[1] ?? '')
}
const [rpcUrl, key] = [option('--rpc-url'), option('--private-key')]
const [command, to, signature = '', ...given] = args

if (command === 'wallet' && to === 'address') {
  process.stdout.write(`${privateKeyToAccount(key as Hex).address}\n`)
} else {
  const client = createWalletClient({ transport: http(rpcUrl) }).extend(publicActions)
  // cast writes the results after the parameters: `allowance(address,address)(uint256)`.
  const [name, results] = signature.split(/(?<=\))(?=\()/)
  const item = parseAbiItem(`function ${name}${results === undefined ? '' : ` view returns ${results}`}`) as AbiFunction
  const values = given.map((value, index) => (item.inputs[index]?.type === 'uint256' ? BigInt(value) : value))
  const call = { address: to as Address, abi: [item], functionName: item.name, args: values }
  if (command === 'call') {
    process.stdout.write(`${await client.readContract(call)}\n`)
  } else {
    const account = privateKeyToAccount(key as Hex)
    const hash = await client.writeContract({ ...call, account, chain: null })
    const { status } = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
    if (status !== 'success') throw new TypeError(`${name} reverted.`)
    process.stdout.write(`${hash}\n`)
  }
}
