import type { Row } from './row.ts'
import { auctionGrowth } from './rows/auctionGrowth.ts'
import { auctionLoad } from './rows/auctionLoad.ts'
import { chainState } from './rows/chainState.ts'
import { choose } from './rows/choose.ts'
import { clusterCpu } from './rows/clusterCpu.ts'
import { clusterFanOut } from './rows/clusterFanOut.ts'
import { clusterGrowth } from './rows/clusterGrowth.ts'
import { clusterIngest } from './rows/clusterIngest.ts'
import { decode } from './rows/decode.ts'
import { digest } from './rows/digest.ts'
import { fanOut } from './rows/fanOut.ts'
import { ingest } from './rows/ingest.ts'
import { memory } from './rows/memory.ts'
import { quotePages } from './rows/quotePages.ts'
import { ranking } from './rows/ranking.ts'
import { sign } from './rows/sign.ts'
import { socketQuotes } from './rows/socketQuotes.ts'
import { storedGrowth } from './rows/storedGrowth.ts'
import { streamedEvents } from './rows/streamedEvents.ts'
import { terms } from './rows/terms.ts'
import { tracedIngest } from './rows/tracedIngest.ts'
import { verify } from './rows/verify.ts'
import { verifyAllCores } from './rows/verifyAllCores.ts'

/** All rows, in the order of the goals table. */
export const rows: readonly Row[] = [
  verify,
  verifyAllCores,
  digest,
  sign,
  ingest,
  tracedIngest,
  socketQuotes,
  fanOut,
  streamedEvents,
  quotePages,
  chainState,
  memory,
  auctionLoad,
  storedGrowth,
  auctionGrowth,
  clusterCpu,
  clusterIngest,
  clusterFanOut,
  clusterGrowth,
  decode,
  terms,
  ranking,
  choose,
]
