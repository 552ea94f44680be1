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

/** `test`, or `test.skip` if a cluster's services are not installed. */
export const testOnCluster = hasServices ? test : test.skip

/** Starts three servers with the given number of makers and auction duration. */
export function startLoadedCluster(makers: number, auctionMs: number, standbyPort?: number): Promise<ClusterFixture> {
  const settings = { AUCTION_DURATION_MS: String(auctionMs), SOCKETS_PER_BACKER: '20' }
  return startClusterFixture(makers, settings, standbyPort)
}

/** Milliseconds between new auctions. */
const askEveryMs = 250
/** Number of RFQs that each backer answers, and the maximum delay of each answer in milliseconds. */
const planned = { rfqs: 500, withinMs: 1_500 }

/** Plans a random delay for each backer's answer to subsequent RFQs. */
export function planAnswers(connected: CrashBackers, backers: number, seed: number): void {
  const { rfqs, withinMs } = planned
  connected.plan(draw(table(fc.nat(withinMs), backers, rfqs), seed))
}

/** Opens auctions, cycling through the instances, until `end` is called. */
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
    /** The auctions in order. The first auction runs on the first instance. */
    auctions,
    /** Stops opening auctions, waits until all have ended, and returns them. */
    async end() {
      isOver = true
      await opening
      await Promise.all(auctions.map(({ ended }) => ended))
      return auctions
    },
  }
}

/** Counts the service's answers to quotes by type or rejection code. */
export function tallyAnswers({ submissions }: CrashBackers): Record<string, number> {
  const tally: Record<string, number> = {}
  for (const { answer } of submissions.flatMap(({ tries }) => tries)) {
    const name = answer?.type === 'rejected' ? answer.code : (answer?.type ?? 'none')
    tally[name] = (tally[name] ?? 0) + 1
  }
  return tally
}

/** The last lines of every server's log, for an error message. */
export function logsOf({ instances }: ClusterFixture): string {
  return instances.map((instance) => instance.process().output().slice(-4_000)).join('\n\n')
}

/** Checks that results are final: an instance still returns the same ones. */
export async function expectUnchanged(
  { instances, url }: ClusterFixture,
  instance: number,
  results: readonly RFQResult[],
): Promise<void> {
  const client = new ServiceClient({ orderbookUrl: instances[instance]?.url ?? url })
  for (const result of results) expect(await client.getRfq(result.rfqId)).toEqual(result)
}
