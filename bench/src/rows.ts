import type { Row } from './row.ts'
import { auctionGrowth } from './rows/auctionGrowth.ts'
import { auctionLoad } from './rows/auctionLoad.ts'
import { chainState } from './rows/chainState.ts'
import { choose } from './rows/choose.ts'
import { clusterCpu } from './rows/clusterCpu.ts'
import { clusterGrowth } from './rows/clusterGrowth.ts'
import { decode } from './rows/decode.ts'
import { clusterFanOut, fanOut } from './rows/fanOut.ts'
import { clusterIngest, ingest } from './rows/ingest.ts'
import { memory } from './rows/memory.ts'
import { provableQuotes } from './rows/provableQuotes.ts'
import { digest, sign } from './rows/sign.ts'
import { socketQuotes } from './rows/socketQuotes.ts'
import { storedQuotes } from './rows/storedQuotes.ts'
import { streamedEvents } from './rows/streamedEvents.ts'
import { tracedIngest } from './rows/tracedIngest.ts'
import { verify, verifyAllCores } from './rows/verify.ts'

/** All rows, in the order of the goals table. */
export const rows: readonly Row[] = [
  verify,
  verifyAllCores,
  digest,
  sign,
  ingest,
  tracedIngest,
  socketQuotes,
  provableQuotes,
  fanOut,
  streamedEvents,
  chainState,
  memory,
  auctionLoad,
  storedQuotes,
  auctionGrowth,
  clusterCpu,
  clusterIngest,
  clusterFanOut,
  clusterGrowth,
  decode,
  choose,
]
