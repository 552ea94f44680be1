import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { testTokenAbi } from '@firmquote/devnet'
import { serverCount } from '@firmquote/test-support/trial'
import { type Address, encodeFunctionData, type Hex, maxUint256, numberToHex, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type AdversarialFixture, holdsWithin, networkAddress } from './adversarialFixture.ts'
import type { MakerFigures, MakerSetup } from './honestMaker.ts'
import { createAccount } from './owe.ts'
import { connectRawBacker, type RawBacker, socketUrlOf } from './rawBacker.ts'

/** The resources used by the attack. */
export type SeatsAttack = {
  /** Number of connections without a key. */
  silent: number
  /** Number of connections with throwaway keys, one key per connection. */
  keyed: number
  /** Number of networks from which the connections come. */
  networks: number
  /** Number of throwaway keys that must hold a seat before the honest maker connects. */
  seated: number
  /** Milliseconds before a closed connection is reopened. */
  againMs: number
}

/** The honest maker's results and the attack's cost. */
export type SeatsFigures = MakerFigures & {
  /** Number of throwaway keys that held a seat simultaneously before the honest maker connected. */
  seated: number
  connections: number
  /** Number of times the attacker's tokens moved to another key. */
  passes: number
  seconds: number
}

/** Returns how many seats per server give all servers together at least this many. */
export function seatsOfServer(seats: number): number {
  return Math.ceil(seats / serverCount)
}

/** The amount that moves from key to key: 100 tUSD, in raw units. */
const passed = 100_000_000n
/** Minimum time between blocks that contain a transfer, in milliseconds. */
const passPauseMs = 100
/** Number of keys through which the attacker's tokens cycle. */
const mostHolders = 30

/**
 * Fills the seats and the slots for unauthenticated connections, and reopens closed connections. At the same time, 100
 * tUSD cycle through the throwaway keys. Once the seats are full, an honest maker that holds 50 tUSD connects three
 * times. The maker stays connected until `meanwhile`, which is called with the number of transfers so far, has
 * completed.
 */
export async function attackSeats(
  fixture: AdversarialFixture,
  { silent, keyed, networks, seated, againMs }: SeatsAttack,
  meanwhile: (passes: () => number) => Promise<void>,
): Promise<SeatsFigures> {
  const socketUrls = fixture.servers.urls.map(socketUrlOf)
  const honestMaker = await createAccount(fixture.devnet.testClient)
  const keys = Array.from({ length: keyed }, generatePrivateKey)
  const holders = keys.slice(0, mostHolders).map((key) => privateKeyToAccount(key).address)
  await endow(fixture, honestMaker.address, passed / 2n)
  for (const [index, address] of holders.entries()) await endow(fixture, address, index === 0 ? passed : 0n)

  const startedAt = performance.now()
  const open = new Map<number, RawBacker>()
  const sitting = new Set<number>()
  let connections = 0
  let attacking = true
  const place = async (index: number) => {
    while (attacking) {
      const privateKey = keys[index - silent]
      const localAddress = networkAddress(1 + (index % networks))
      const backer = connectRawBacker(socketUrls[index % socketUrls.length] ?? '', {
        localAddress,
        ...(privateKey && { privateKey }),
      })
      open.set(index, backer)
      connections += 1
      if (privateKey && (await backer.authenticated) !== null) sitting.add(index)
      await backer.ended
      sitting.delete(index)
      // Leaves some CPU time for the honest client, since the attacker shares its machine.
      if (attacking) await sleep(againMs)
    }
  }
  // Opens connections with keys first. Connections without keys would only take slots from each other and from
  // connections with keys.
  const crowd = Array.from({ length: keyed }, (_, index) => place(silent + index))
  let passes = 0
  const passTokens = async () => {
    for (; attacking; passes += 1) {
      const [from, to] = [passes, passes + 1].map((turn) => holders[turn % holders.length])
      if (!from || !to) throw new TypeError('Moving tokens between keys requires at least two accounts.')
      const args = [to, passed] as const
      await send(fixture, from, encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args }))
      await sleep(passPauseMs)
    }
  }
  const passing = passTokens()
  // The caller awaiting this promise receives the failure.
  passing.catch(() => {})
  let maker: Worker | undefined
  const end = async () => {
    attacking = false
    for (const backer of open.values()) backer.end()
    await Promise.all(crowd)
  }
  try {
    let mostSeated = 0
    const isFull = () => {
      mostSeated = Math.max(mostSeated, sitting.size)
      return mostSeated >= seated
    }
    await holdsWithin(60_000, isFull)
    for (let index = 0; index < silent; index += 1) crowd.push(place(index))
    await sleep(2_000)
    const setup: MakerSetup = { socketUrls, localAddress: networkAddress(0), privateKey: honestMaker.privateKey }
    const worker = new Worker(new URL('./honestMaker.ts', import.meta.url), { workerData: setup })
    maker = worker
    const askAtTheEnd = async () => {
      await meanwhile(() => passes)
      worker.postMessage('end')
    }
    const [[entered]] = await Promise.all([once(worker, 'message') as Promise<[MakerFigures]>, askAtTheEnd()])
    const seconds = (performance.now() - startedAt) / 1_000
    await end()
    await passing
    return { ...entered, seated: mostSeated, connections, passes, seconds }
  } finally {
    await Promise.all([maker?.terminate(), end()])
  }
}

/**
 * Sends a token call from an account and mines it in a separate block. Anvil impersonates the sender, so the attacker's
 * keys are not needed.
 */
async function send({ devnet }: AdversarialFixture, from: Address, data: Hex): Promise<void> {
  const transaction = { from, to: devnet.contracts.loanToken, data, gas: numberToHex(100_000) }
  const request = { method: 'eth_sendTransactionSync', params: [transaction] } as never
  const { status } = (await devnet.testClient.request(request)) as { status: Hex }
  if (status !== '0x1') throw new TypeError('A transaction of the attack reverted.')
}

/** Funds an account with tUSD and an allowance for the quote market. */
async function endow(fixture: AdversarialFixture, address: Address, amount: bigint): Promise<void> {
  const { contracts, testClient } = fixture.devnet
  await testClient.setBalance({ address, value: parseUnits('1', 18) })
  await testClient.impersonateAccount({ address })
  const allowed = [contracts.quoteMarket, maxUint256] as const
  await send(fixture, address, encodeFunctionData({ abi: testTokenAbi, functionName: 'approve', args: allowed }))
  await send(fixture, address, encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [address, amount] }))
}

/** Prints the attack's cost and the honest maker's results. */
export function printSeats(
  { silent, keyed, networks }: SeatsAttack,
  { entries, seated, connections, passes, seconds }: SeatsFigures,
): void {
  const times = entries.map((ms) => (ms === null ? 'refused' : `${Math.round(ms)} ms`)).join(', ')
  process.stdout.write(
    `seats: ${silent} places without and ${keyed} with throwaway keys from ${networks} networks, ${connections} connections ` +
      `in ${Math.round(seconds)} s, 100 tUSD passed ${passes} times; ${seated} throwaway keys ` +
      `had a seat, and the honest maker is in after ${times}\n`,
  )
}
