import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { testTokenAbi } from '@firmquote/devnet'
import { serverCount } from '@firmquote/test-support/trial'
import { type Address, encodeFunctionData, type Hex, maxUint256, numberToHex, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type HostileFixture, holdsWithin, networkAddress } from './adversarialFixture.ts'
import type { MakerFigures, MakerSetup } from './honestMaker.ts'
import { createAccount } from './owe.ts'
import { connectRawBacker, type RawBacker, socketUrlOf } from './rawBacker.ts'

/** What the attacker spends. */
export type SeatsAttack = {
  /** Connections without a key. */
  silent: number
  /** Connections with throwaway keys, one each. */
  keyed: number
  /** The networks that all of them come from. */
  networks: number
  /** So many throwaway keys have a seat before the honest maker comes. */
  seated: number
  /** Milliseconds until a place that was closed is tried again. */
  againMs: number
}

/** What the honest maker got, and what the attack has cost. */
export type SeatsFigures = MakerFigures & {
  /** How many throwaway keys have had a seat at once before it came. */
  seated: number
  connections: number
  /** How often the attacker's tokens went to another key. */
  passes: number
  seconds: number
}

/** How many seats each server has where all of them together have this many, or one more. */
export function seatsOfServer(seats: number): number {
  return Math.ceil(seats / serverCount)
}

/** What goes from key to key: 100 tUSD, in raw units. */
const passed = 100_000_000n
/** Milliseconds between two blocks in which it does, at least. */
const passPauseMs = 100
/** The keys that the attacker's tokens go round. */
const mostHolders = 30

/**
 * Fills the seats and the places before authentication, and goes on: what is closed comes again. 100 tUSD go from one throwaway
 * key to the next all the while. An honest maker with half of that connects three times and stays until `meanwhile`, which
 * begins when the seats are full, has ended. It is told how often the tokens have been passed so far.
 */
export async function attackSeats(
  fixture: HostileFixture,
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
      // An attacker of this machine must leave the honest client some of it.
      if (attacking) await sleep(againMs)
    }
  }
  // Keys first: those without would only take each other's places, and theirs.
  const crowd = Array.from({ length: keyed }, (_, index) => place(silent + index))
  let passes = 0
  const passTokens = async () => {
    for (; attacking; passes += 1) {
      const [from, to] = [passes, passes + 1].map((turn) => holders[turn % holders.length])
      if (!from || !to) throw new TypeError('Tokens are passed between two accounts at least.')
      const args = [to, passed] as const
      await send(fixture, from, encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args }))
      await sleep(passPauseMs)
    }
  }
  const passing = passTokens()
  // What fails there is thrown when it is waited for.
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

/** Has an account call the loan token, mined in a block of its own. Anvil sends for it, so that no key of the attack has to sign. */
async function send({ devnet }: HostileFixture, from: Address, data: Hex): Promise<void> {
  const transaction = { from, to: devnet.contracts.loanToken, data, gas: numberToHex(100_000) }
  const request = { method: 'eth_sendTransactionSync', params: [transaction] } as never
  const { status } = (await devnet.testClient.request(request)) as { status: Hex }
  if (status !== '0x1') throw new TypeError('A transaction of the attack reverted.')
}

/** Gives an account tUSD, and lets the quote market move them. */
async function endow(fixture: HostileFixture, address: Address, amount: bigint): Promise<void> {
  const { contracts, testClient } = fixture.devnet
  await testClient.setBalance({ address, value: parseUnits('1', 18) })
  await testClient.impersonateAccount({ address })
  const allowed = [contracts.quoteMarket, maxUint256] as const
  await send(fixture, address, encodeFunctionData({ abi: testTokenAbi, functionName: 'approve', args: allowed }))
  await send(fixture, address, encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [address, amount] }))
}

/** Prints what the attack has cost and what the honest maker got. */
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
