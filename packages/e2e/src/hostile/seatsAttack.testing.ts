import { setTimeout as sleep } from 'node:timers/promises'
import { testTokenAbi } from '@firmquote/devnet'
import { numberToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type HostileStand, networkAddress } from './hostileStand.testing.ts'
import { connectRawBacker, type RawBacker } from './rawBacker.testing.ts'

/** What the attacker spends: connections without a key, connections with throwaway keys, and the networks that they come from. */
export type SeatsAttack = { silent: number; keyed: number; networks: number; passes: number }

/** What the honest maker got. Times are milliseconds from its connection to `authenticated`; null: it was refused. */
export type SeatsFigures = { entries: (number | null)[]; stayed: boolean; keyedSeated: number }

/**
 * Fills the places before authentication and the seats, and goes on: whatever is closed comes again. 100 tUSD go from one throwaway
 * key to the next all the while. An honest maker connects three times meanwhile, and stays at last.
 */
export async function attackSeats(
  stand: HostileStand,
  { silent, keyed, networks, passes }: SeatsAttack,
): Promise<SeatsFigures> {
  const { devnet, socketUrl } = stand
  const keys = Array.from({ length: keyed }, generatePrivateKey)
  const open = new Map<number, RawBacker>()
  const attackers = silent + keyed
  let attacking = true
  let keyedSeated = 0
  const place = async (index: number) => {
    while (attacking) {
      const privateKey = keys[index - silent]
      const localAddress = networkAddress(1 + (index % networks))
      const backer = connectRawBacker(socketUrl, { localAddress, ...(privateKey && { privateKey }) })
      open.set(index, backer)
      if (privateKey && (await backer.authenticated) !== null) keyedSeated += 1
      while (attacking && backer.isOpen()) await sleep(100)
      // An attacker of this machine must leave the honest client some of it.
      await sleep(200)
    }
  }
  const crowd = Array.from({ length: attackers }, (_, index) => place(index))
  const passing = passTokens(stand, keys.slice(0, passes))
  const entries: (number | null)[] = []
  const [{ privateKey }] = devnet.backers
  let honest: RawBacker | undefined
  try {
    await sleep(2_000)
    for (let round = 0; round < 3; round += 1) {
      honest?.end()
      const startedAt = performance.now()
      honest = connectRawBacker(socketUrl, { localAddress: networkAddress(0), privateKey })
      const at = await honest.authenticated
      entries.push(at === null ? null : at - startedAt)
      await sleep(1_500)
    }
    await passing
    return { entries, stayed: honest?.isOpen() ?? false, keyedSeated }
  } finally {
    attacking = false
    honest?.end()
    for (const backer of open.values()) backer.end()
    await Promise.all([...crowd, passing.catch(() => {})])
  }
}

/** Gives 100 tUSD to the first key, and from each to the next, all of which the quote market may move. */
async function passTokens({ devnet }: HostileStand, keys: readonly `0x${string}`[]): Promise<void> {
  const { loanToken, quoteMarket } = devnet.contracts
  const amount = 100_000_000n
  const token = { address: loanToken, abi: testTokenAbi } as const
  const accounts = keys.map((key) => ({ privateKey: key, address: privateKeyToAccount(key).address }))
  let owner: (typeof accounts)[number] | (typeof devnet.backers)[2] = devnet.backers[2]
  for (const next of accounts) {
    await devnet.testClient.request({
      method: 'anvil_setBalance',
      params: [next.address, numberToHex(10n ** 18n)],
    } as never)
    const moved = await devnet
      .walletClient(owner)
      .writeContract({ ...token, functionName: 'transfer', args: [next.address, amount] })
    await devnet.publicClient.waitForTransactionReceipt({ hash: moved })
    const allowed = await devnet
      .walletClient(next)
      .writeContract({ ...token, functionName: 'approve', args: [quoteMarket, amount] })
    await devnet.publicClient.waitForTransactionReceipt({ hash: allowed })
    owner = next
  }
}

/** Prints what the attack has cost and what the honest maker got. */
export function printSeats(
  { silent, keyed, networks, passes }: SeatsAttack,
  { entries, keyedSeated }: SeatsFigures,
): void {
  const times = entries.map((ms) => (ms === null ? 'refused' : `${Math.round(ms)} ms`)).join(', ')
  process.stdout.write(
    `seats: ${silent} connections without and ${keyed} with throwaway keys from ${networks} networks (${keyedSeated} times seated), ` +
      `100 tUSD passed ${passes} times; the honest maker is in after ${times}\n`,
  )
}
