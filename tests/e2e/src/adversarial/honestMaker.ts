import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Hex } from 'viem'
import { connectRawBacker } from './rawBacker.ts'

// An honest maker that tries to get a seat. Started with a MakerSetup in a separate thread, so that its measurements
// reflect the server, not the attacker.

/** Options for the maker. Its connections cycle through `socketUrls`. */
export type MakerSetup = { socketUrls: readonly string[]; localAddress: string; privateKey: Hex }

/** The maker's report. The maker posts it in response to a message, after three connections. */
export type MakerFigures = {
  /** Milliseconds from each connection attempt to `authenticated`; null if rejected. */
  entries: (number | null)[]
  /** Whether the maker's last connection is still open. */
  stayed: boolean
}

const { socketUrls, localAddress, privateKey } = workerData as MakerSetup

async function enter(turn: number) {
  const askedAt = performance.now()
  const backer = connectRawBacker(socketUrls[turn % socketUrls.length] ?? '', { localAddress, privateKey })
  const at = await backer.authenticated
  await sleep(1_500)
  return { backer, entry: at === null ? null : at - askedAt }
}

const first = await enter(0)
first.backer.end()
const second = await enter(1)
second.backer.end()
const last = await enter(2)
parentPort?.once('message', () => {
  const figures: MakerFigures = { entries: [first.entry, second.entry, last.entry], stayed: last.backer.isOpen() }
  parentPort?.postMessage(figures)
})
