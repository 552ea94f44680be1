import { setTimeout as sleep } from 'node:timers/promises'
import type { RFQResult } from '@firmquote/core'
import fc from 'fast-check'
import { type FollowedAuction, followAuction } from '../crashAuctions.ts'
import type { CrashBackers } from '../crashBackers.ts'
import type { ClusterFixture } from './clusterFixture.ts'
import { expectHeardAgrees, expectRows, expectSameEverywhere, isRepeated } from './clusterRound.ts'

/** A new auction this often, in milliseconds. */
const askEveryMs = 250
/** How many RFQs of a plan a backer answers, each within so many milliseconds. */
const planned = { rfqs: 500, withinMs: 1_500 }

/** Auctions that are opened all the time, and the instance that each was asked of first. */
export type OpenedAuctions = {
  auctions: readonly { auction: FollowedAuction; first: number }[]
  /** Opens no more, and waits until all have come to their end. */
  end(): Promise<void>
}

/** Has every backer answer all RFQs from now on, each after a time of its own. */
export function planAnswers(connected: CrashBackers, backers: number, seed: number): void {
  const { rfqs, withinMs } = planned
  const delays = fc.array(fc.nat(withinMs), { minLength: rfqs, maxLength: rfqs })
  const [plan = []] = fc.sample(fc.array(delays, { minLength: backers, maxLength: backers }), { seed, numRuns: 1 })
  connected.plan(plan)
}

/** Opens auctions on one instance after the other, until it is ended. */
export function openAll(running: ClusterFixture): OpenedAuctions {
  const auctions: { auction: FollowedAuction; first: number }[] = []
  let isOver = false
  const opening = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      const client = running.borrowerFrom(turn)
      auctions.push({ auction: followAuction(running, () => {}, { client, isRepeated }), first: turn % 3 })
      await sleep(askEveryMs)
    }
  })()
  return {
    auctions,
    async end() {
      isOver = true
      await opening
      await Promise.all(auctions.map(({ auction }) => auction.ended))
    },
  }
}

/**
 * What everyone was told is what all instances and the rows have. Gives the results.
 *
 * @param rows how many auctions there are; null: any number.
 */
export async function expectKept(
  running: ClusterFixture,
  connected: CrashBackers,
  { auctions }: OpenedAuctions,
  rows: number | null = auctions.length,
): Promise<RFQResult[]> {
  await running.allReady()
  await connected.settled()
  const byHash = new Map(connected.submissions.map((submission) => [submission.hash, submission]))
  const results = []
  for (const { auction } of auctions) results.push(await expectSameEverywhere(running, auction, byHash))
  expectHeardAgrees(connected, results)
  await expectRows(running, rows)
  return results
}
