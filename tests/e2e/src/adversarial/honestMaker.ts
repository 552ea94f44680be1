import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Hex } from 'viem'
import { connectRawBacker } from './rawBacker.ts'

// An honest maker that wants a seat: a thread of its own, started with a MakerSetup, so that it measures the server and not the attacker.

/** What the maker is started with. `socketUrls` are of the servers; each connection is to the next one. */
export type MakerSetup = { socketUrls: readonly string[]; localAddress: string; privateKey: Hex }

/** What the maker answers to a message, once it has connected three times. */
export type MakerFigures = {
  /** Milliseconds from each of its connections to `authenticated`; null: it was refused. */
  entries: (number | null)[]
  /** Whether its last connection is still open. */
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
