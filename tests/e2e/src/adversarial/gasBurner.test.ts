import { hashQuote, quoteTypedData, serializeSignedQuote } from '@firmquote/core'
import { testTokenAbi } from '@firmquote/devnet'
import { afterEach, expect, test } from '@jest/globals'
import { type Address, encodeFunctionData, getAddress, type Hex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  switchableErc1271WalletAbi,
  switchableErc1271WalletBytecode,
} from '../../../../packages/devnet/test/testContracts.ts'
import { quoteOf } from '../quoteOf.ts'
import { sendRaw } from '../rawRequests.ts'
import { stopAfter } from '../stopAfter.ts'
import { holdsWithin, printHonest, startAdversarialFixture } from './adversarialFixture.ts'

// The attack requires three contracts with 100,000 tUSD each. One contract burns gas when its 60 quotes are checked;
// another approves reads but rejects transactions. The attacker also sends 30 invalid quotes on behalf of an honest
// maker's contract.

const started = stopAfter(afterEach)

const behaviours = { burnsGas: 1, consentsToReadings: 2 } as const
type Wallet = { address: Address; become(behaviour: keyof typeof behaviours): Promise<void> }

test("behavior: makers' contracts do not delay any list, and invalid quotes do not block any maker", async () => {
  const fixture = started(await startAdversarialFixture())
  const { devnet, urlOf, series } = fixture
  const [, owner] = devnet.backers
  const account = privateKeyToAccount(owner.privateKey)
  const { loanToken, quoteMarket } = devnet.contracts
  const client = devnet.walletClient(owner)
  const wait = (hash: Hex) => devnet.publicClient.waitForTransactionReceipt({ hash })
  const abi = switchableErc1271WalletAbi

  const deploy = async (): Promise<Wallet> => {
    const hash = await client.deployContract({ abi, bytecode: switchableErc1271WalletBytecode, args: [owner.address] })
    const { contractAddress } = await wait(hash)
    const address = getAddress(contractAddress ?? zeroAddress)
    const funds = 100_000_000_000n
    const token = { address: loanToken, abi: testTokenAbi } as const
    await wait(await client.writeContract({ ...token, functionName: 'transfer', args: [address, funds] }))
    const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'approve', args: [quoteMarket, funds] })
    await wait(await client.writeContract({ address, abi, functionName: 'execute', args: [loanToken, data] }))
    return {
      address,
      async become(behaviour) {
        const args = [behaviours[behaviour]] as const
        await wait(await client.writeContract({ address, abi, functionName: 'setBehaviour', args }))
      },
    }
  }
  const domain = { chainId: devnet.chainId, quoteMarket }
  let turn = 0
  const publish = async (maker: Address, vrtAmount: bigint, forged?: Hex) => {
    const quote = quoteOf(maker, { ...series, notional: 1_000_000_000n, vrtAmount })
    const signature = forged ?? (await account.signTypedData(quoteTypedData(quote, domain)))
    const body = serializeSignedQuote({ ...quote, signature })
    const answer = await sendRaw(`${urlOf(turn++)}/api/v1/quotes`, { body })
    return { status: answer.status, hash: hashQuote(quote, domain) }
  }
  const timed = async <T>(path: string): Promise<{ value: T; ms: number }> => {
    const startedAt = performance.now()
    const answer = await fetch(urlOf(turn++) + path)
    expect(answer.status).toBe(200)
    return { value: (await answer.json()) as T, ms: performance.now() - startedAt }
  }
  type Listed = { hash: Hex; executable: boolean; unproven?: boolean }
  const list = () => timed<{ quotes: Listed[] }>('/api/v1/quotes?limit=100')
  const rates = async () => {
    const { value, ms } = await timed<{ pools: { series: { seriesKey: Hex; bestApr?: number; depth: unknown }[] }[] }>(
      '/api/v1/pools/rates?notional=1000000000',
    )
    const found = value.pools.flatMap((pool) => pool.series).find(({ seriesKey }) => seriesKey === series.seriesKey)
    return { ms, bestApr: found?.bestApr, depth: found?.depth }
  }

  const [burner, liar, victim] = [await deploy(), await deploy(), await deploy()]
  const honest: Hex[] = []
  for (let count = 0; count < 10; count += 1) honest.push((await publish(owner.address, 10_000_000n)).hash)
  const before = await rates()
  expect(before.bestApr).toBeGreaterThan(0)
  for (let count = 0; count < 60; count += 1) expect((await publish(burner.address, 1n)).status).toBe(201)
  const { hash: lie } = await publish(liar.address, 0n)
  await burner.become('burnsGas')
  await liar.become('consentsToReadings')
  const users = await fixture.startHonest()
  await users.quoted(1)

  const garbage: (number | null)[] = []
  for (let count = 0; count < 30; count += 1) {
    garbage.push((await publish(victim.address, 1n, `0x${'ab'.repeat(65)}`)).status)
  }
  expect(new Set(garbage)).toEqual(new Set([422, 429]))
  const slowest = { list: 0, rates: 0 }
  for (let round = 0; round < 10; round += 1) {
    await devnet.testClient.mine({ blocks: 1 })
    const [{ value, ms }, current] = await Promise.all([list(), rates()])
    slowest.list = Math.max(slowest.list, ms)
    slowest.rates = Math.max(slowest.rates, current.ms)
    const executable = new Set(value.quotes.filter((quote) => quote.executable).map(({ hash }) => hash))
    expect(honest.filter((hash) => !executable.has(hash))).toEqual([])
    expect(executable.has(lie)).toBe(false)
    expect(value.quotes.find(({ hash }) => hash === lie)).toMatchObject({ unproven: true })
    // The remaining term shrinks every second, so the annual rate rises slightly.
    expect(current.bestApr).toBeCloseTo(before.bestApr ?? 0, 2)
    expect(current.depth).toEqual(before.depth)
  }
  expect(slowest.list).toBeLessThan(1_000)
  expect(slowest.rates).toBeLessThan(1_000)
  // The server throttled the sender's address (this machine's), but not the victim. The victim can publish a quote once
  // the minute is over.
  expect(await holdsWithin(10_000, async () => (await publish(victim.address, 1n)).status === 201)).toBe(true)
  process.stdout.write(
    `gas burner: 71 quotes of contracts, 30 of garbage; the slowest list ${Math.round(slowest.list)} ms, the slowest rates ${Math.round(slowest.rates)} ms\n`,
  )
  printHonest('gas burner', await users.finish())
}, 90_000)
