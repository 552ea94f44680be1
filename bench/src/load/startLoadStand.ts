import { type Stand, startStand } from '../stand/startStand.ts'
import { createServerProbe, type ServerProbe } from './probeServer.ts'
import type { Series } from './quoteFrames.ts'

/** A stand whose server can be asked for its event loop, processor time and memory. */
export type LoadStand = Stand & { probe: ServerProbe; series: Series; auctionMs: number }

/** Starts a stand with a number of funded makers and auctions of a given length. */
export async function startLoadStand({ makers, auctionMs }: { makers: number; auctionMs: number }): Promise<LoadStand> {
  const probe = createServerProbe()
  const settings = { AUCTION_DURATION_MS: String(auctionMs), ...probe.settings }
  const stand = await startStand({ makers, settings })
  const [{ poolId, series }] = stand.pools
  return { ...stand, probe, series: { poolId, seriesKey: series[0]?.seriesKey ?? poolId }, auctionMs }
}
