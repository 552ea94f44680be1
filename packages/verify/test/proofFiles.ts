import { toBase64 } from '../src/bytes.ts'
import type { ProofFile, ProvenEntry } from '../src/proofFile.ts'
import { encodeRecord } from '../src/record.ts'
import { refusedLeaf } from '../src/structures.ts'
import { hashLeaf, inclusionPath, rootOf } from '../src/tree.ts'
import { fillLog, runAuction, type TestLog } from './proofFixture.ts'

/** One file of each type. */
export type ProofFiles = { [Type in ProofFile['type']]: Extract<ProofFile, { type: Type }> }

/** Runs auctions, some of them dishonest, and writes a file of each type about them. */
export async function createProofFiles(log: TestLog) {
  fillLog(log, 20)
  const auction = await runAuction(log, [400n, 390n, 410n])
  const closeIndex = auction.close()
  const dishonest = await runAuction(log, [400n, 390n, 410n], { id: 'cd', drop: 2 })
  const dishonestClose = dishonest.close()
  const unclosed = await runAuction(log, [400n], { id: 'ef' })
  // Closes no auction, because its last byte is missing.
  log.append(itemOf(log.entries, dishonestClose).slice(0, -1))
  fillLog(log, 1)
  const refusals = await log.receipts(
    ['NOTIONAL_TOO_SMALL', 'DEADLINE_TOO_SOON', 'NONCE_MISMATCH'].map((code) =>
      encodeRecord(refusedLeaf.kind, refusedLeaf.layout, {
        ...{ publicRfqId: auction.publicRfqId, hash: `0x${'44'.repeat(32)}`, maker: `0x${'55'.repeat(20)}` },
        ...{ at: 1_899_999_901_000n, code, blockNumber: 40_000_000n, blockHash: `0x${'66'.repeat(32)}` },
      }),
    ),
    1_899_999_975,
  )
  const { keys } = log
  const later = {
    ...{ checkpoint: log.checkpoint(1_900_000_000), from: unclosed.openIndex },
    subtrees: subtreesOf(log, unclosed.openIndex),
    entries: log.entries.slice(unclosed.openIndex).map(toBase64),
  }
  const key = log.prove(0)
  const forked = log.hashes.slice(0, 10).map((hash, index) => (index === 5 ? hashLeaf(Uint8Array.of(1)) : hash))
  const files: ProofFiles = {
    auction: auction.auctionProof(closeIndex),
    quote: {
      ...{ type: 'quote', keys, close: log.prove(closeIndex), opening: itemOf(auction.openings, 1), index: 2 },
      path: inclusionPath(auction.transcript, 2).map(toBase64),
    },
    omission: {
      ...{ type: 'omission', keys, key, receipt: itemOf(dishonest.receipts, 1), close: log.prove(dishonestClose) },
      hashes: dishonest.transcript.map(toBase64),
    },
    overdue: { type: 'overdue', keys, ...later },
    unclosed: { type: 'unclosed', keys, key, receipt: itemOf(unclosed.receipts, 0), ...later },
    backdated: {
      // A second after the minute in which the log may add an opening.
      ...{ type: 'backdated', keys, checkpoint: log.checkpoint(1_899_999_961, unclosed.openIndex) },
      open: withoutCosignature(log.prove(unclosed.openIndex)),
    },
    fork: {
      ...{ type: 'fork', keys },
      older: log.checkpoint(1_899_999_000, 10, { origin: log.origin, size: 10, root: rootOf(forked) }),
      ...{ newer: log.checkpoint(1_900_000_000), root: toBase64(rootOf(log.hashes.slice(0, 10))) },
      path: log.consistencyPath(10).map(toBase64),
    },
    refusal: { type: 'refusal', keys, key, receipt: itemOf(refusals, 0) },
  }
  return { files, auction, refusals, closeIndex }
}

/** The complete subtrees of a log's first `size` entries, largest first. */
export function subtreesOf({ hashes }: TestLog, size: number): string[] {
  const subtrees: string[] = []
  for (let start = 0; start < size; ) {
    const count = 2 ** Math.floor(Math.log2(size - start))
    subtrees.push(toBase64(rootOf(hashes.slice(start, start + count))))
    start += count
  }
  return subtrees
}

/** An entry's proof with the log's signature alone. */
export function withoutCosignature({ record, proof }: ProvenEntry): ProvenEntry {
  return { record, proof: proof.replace(/— witness\S+ .*\n/, '') }
}

/** @throws {TypeError} if there is no such item. */
export function itemOf<Item>(items: readonly Item[], at: number): Item {
  const item = items[at]
  if (item === undefined) throw new TypeError(`There is no item ${at}.`)
  return item
}
