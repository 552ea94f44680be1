import { setTimeout as sleep } from 'node:timers/promises'
import type { RFQResult } from '@firmquote/core'
import { ServiceClient } from '@firmquote/sdk'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type FollowedAuction, followAuction } from '../crashAuctions.ts'
import type { CrashBackers } from '../crashBackers.ts'
import { draw, table } from '../rounds.ts'
import { type ClusterFixture, hasServices, startClusterFixture } from './clusterFixture.ts'
import { isRepeated } from './clusterRound.ts'

/** `test`, where this machine has what a cluster needs. */
export const testOnCluster = hasServices ? test : test.skip

/** Starts three servers for some backers, with auctions of a length. */
export function startLoadedCluster(makers: number, auctionMs: number, standbyPort?: number): Promise<ClusterFixture> {
  const settings = { AUCTION_DURATION_MS: String(auctionMs), SOCKETS_PER_BACKER: '20' }
  return startClusterFixture(makers, settings, standbyPort)
}

/** A new auction this often, in milliseconds. */
const askEveryMs = 250
/** How many RFQs of a plan a backer answers, each within so many milliseconds. */
const planned = { rfqs: 500, withinMs: 1_500 }

/** Has every backer answer all RFQs from now on, each after a time of its own. */
export function planAnswers(connected: CrashBackers, backers: number, seed: number): void {
  const { rfqs, withinMs } = planned
  connected.plan(draw(table(fc.nat(withinMs), backers, rfqs), seed))
}

/** Opens auctions on one instance after the other, until it is ended. */
export function openAll(running: ClusterFixture) {
  const auctions: FollowedAuction[] = []
  let isOver = false
  const opening = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      const client = running.borrowerFrom(turn)
      auctions.push(followAuction(running, { client, isRepeated }))
      await sleep(askEveryMs)
    }
  })()
  return {
    /** In turn, the first one at the first instance. */
    auctions,
    /** Opens no more, and waits until all have come to their end. Gives them. */
    async end() {
      isOver = true
      await opening
      await Promise.all(auctions.map(({ ended }) => ended))
      return auctions
    },
  }
}

/** How often each answer was given to a quote: its type, or the code of a refusal. */
export function tallyAnswers({ submissions }: CrashBackers): Record<string, number> {
  const tally: Record<string, number> = {}
  for (const { answer } of submissions.flatMap(({ tries }) => tries)) {
    const name = answer?.type === 'rejected' ? answer.code : (answer?.type ?? 'none')
    tally[name] = (tally[name] ?? 0) + 1
  }
  return tally
}

/** The ends of all servers' logs, for an error. */
export function logsOf({ instances }: ClusterFixture): string {
  return instances.map((instance) => instance.process().output().slice(-4_000)).join('\n\n')
}

/** Nothing changes any more in what has been told: an instance still has the same results. */
export async function expectUnchanged(
  { instances, url }: ClusterFixture,
  instance: number,
  results: readonly RFQResult[],
): Promise<void> {
  const client = new ServiceClient({ orderbookUrl: instances[instance]?.url ?? url })
  for (const result of results) expect(await client.getRfq(result.rfqId)).toEqual(result)
}
