import type { PublicRfqId, QuoteDomain, Receipt, RFQStreamEvent } from '@firmquote/core'
import {
  acceptedLeaf,
  closeEntry,
  decodeRecord,
  fromBase64,
  hashLeaf,
  openEntry,
  parseCheckpoint,
  type RecordOf,
  recoverReceipt,
  rootOf,
  verifyProof,
} from '@firmquote/verify'
import { bytesToHex, type Hex } from 'viem'
import { createAuctionProofs } from '../../../apps/server/src/app/proofs/auctionProofs.ts'
import type { ProofLog } from '../../../apps/server/src/app/proofs/proofLog.ts'
import type { ProofKeys } from '../../../apps/server/src/ports/proofKeys.ts'
import type { ProofStore } from '../../../apps/server/src/ports/store.ts'
import type { SimDatabase } from './simDatabase.ts'
import { logKey, logOrigin } from './simKeys.ts'
import type { Trace } from './trace.ts'

/** A receipt's promise that the closed auction will have its quote. `mergeBy` is in Unix seconds. */
type Promised = RecordOf<typeof acceptedLeaf.layout> & { mergeBy: number; receipt: Receipt }

/**
 * A history's end: the public ids of all auctions, the number of entries that the monitor has read, and the log of the
 * running process.
 */
type FinalState = { opened: readonly string[]; read: number; log: Pick<ProofLog, 'id' | 'newest'> | undefined }

/** The rules of provable auctions. */
export type ProofRules = ReturnType<typeof createProofRules>

/** Creates the rules. They read the log's rows, and share no decision with the service. */
export function createProofRules({
  database,
  domain,
  keys,
  trace,
  violation,
}: {
  database: SimDatabase
  domain: QuoteDomain
  keys: ProofKeys
  trace: Trace
  violation: (text: string) => void
}) {
  /** Roots of all checkpoints ever signed, by size. */
  const signed = new Map<number, Hex>()
  const promises = new Map<string, Promised>()
  /** Log entries that receipts of events promise, in hex, and when. */
  const promisedEntries = new Map<Hex, number>()
  const short = (id: string) => id.slice(2, 10)
  const entries = () => database.proofs.listEntries(1, 0, Number.MAX_SAFE_INTEGER)
  const closesIn = (log: readonly Uint8Array[]) =>
    log.flatMap((entry) =>
      entry[0] === closeEntry.kind ? [decodeRecord(closeEntry.kind, closeEntry.layout, entry)] : [],
    )

  return {
    /** The keys, with a record of the checkpoints that they sign. */
    keys: {
      ...keys,
      signText(text: string) {
        const { size, root: bytes } = parseCheckpoint(text)
        const root = bytesToHex(bytes)
        trace.note('checkpoint signed', `${size} ${root.slice(2, 10)}`)
        if ((signed.get(size) ?? root) !== root) violation(`two checkpoints of ${size} entries were signed`)
        signed.set(size, root)
        return keys.signText(text)
      },
    } satisfies ProofKeys,

    /** The service signed a receipt of an accepted quote, or of a refused one. */
    async promised(receipt: Receipt): Promise<void> {
      const leaf = fromBase64(receipt.leaf, 'The leaf')
      trace.note(leaf[0] === acceptedLeaf.kind ? 'receipt' : 'receipt of a refusal')
      if (leaf[0] !== acceptedLeaf.kind) return
      const promise = {
        ...decodeRecord(acceptedLeaf.kind, acceptedLeaf.layout, leaf),
        mergeBy: receipt.mergeBy,
        receipt,
      }
      const id = `${promise.publicRfqId} ${promise.maker}`
      const before = promises.get(id)
      if (before) trace.note('receipt sent again')
      if (before && before.leaf !== promise.leaf) violation(`two receipts of ${short(promise.hash)} promise two leaves`)
      if (!before || before.mergeBy > promise.mergeBy) promises.set(id, promise)
    },

    /** The service sent an event of an auction's stream to a borrower that requests receipts. */
    reported({ data }: RFQStreamEvent) {
      if (!('receipt' in data) || !data.receipt) return
      const { leaf, mergeBy } = data.receipt
      const entry = bytesToHex(fromBase64(leaf, 'The leaf'))
      trace.note(entry.startsWith(`0x0${openEntry.kind}`) ? 'receipt of an opening' : 'receipt of a close')
      promisedEntries.set(entry, Math.min(mergeBy, promisedEntries.get(entry) ?? mergeBy))
    },

    /** A witness signed a checkpoint, and the service accepted it. `time` is in Unix seconds. */
    cosigned(size: number, time: number) {
      const due = [...promises.values()].filter(({ mergeBy }) => mergeBy <= time)
      const dueEntries = [...promisedEntries].filter(([, mergeBy]) => mergeBy <= time)
      if (due.length === 0 && dueEntries.length === 0) return
      const log = entries().slice(0, size)
      const closed = new Set(closesIn(log).map(({ publicRfqId }) => publicRfqId))
      const known = new Set(log.map((entry) => bytesToHex(entry)))
      for (const [entry] of dueEntries)
        if (!known.has(entry)) violation(`a witness signed at ${time} without the promised entry ${short(entry)}`)
      for (const { publicRfqId, hash, mergeBy } of due) {
        trace.note('promise checked after its time')
        if (!closed.has(publicRfqId))
          violation(`a witness signed at ${time} without the close of ${short(hash)}, promised by ${mergeBy}`)
      }
    },

    /** A witness refused a checkpoint. */
    suspected: (reason: string) => violation(`the witness suspects a fork: ${reason}`),

    /** The monitor raised an alarm. */
    alarmed: (code: string, text: string) => violation(`the monitor raised ${code}: ${text}`),

    /** A process ends without warning. Records whether an opening has no checkpoint yet. */
    crashing() {
      const size = database.proofs.findLog()?.head.size ?? 0
      if (
        entries()
          .slice(size)
          .some(([kind]) => kind === openEntry.kind)
      )
        trace.note('crash before a checkpoint of an opening')
    },

    /** Checks the rules that apply at the end. */
    async finish({ opened, read, log: published }: FinalState): Promise<void> {
      const log = entries()
      const hashes = log.map(hashLeaf)
      for (const [size, root] of signed) {
        if (bytesToHex(rootOf(hashes.slice(0, size))) !== root)
          violation(`the checkpoint of ${size} entries is not of the log's history`)
      }
      const newest = Math.max(0, ...signed.keys())
      if (newest < log.length) violation(`${log.length - newest} entries have no checkpoint at the end`)
      if (read < log.length) violation(`the monitor has read ${read} of ${log.length} entries at the end`)
      const idsOf = (kind: number) =>
        log.flatMap((entry) => (entry[0] === kind ? [Buffer.from(entry.subarray(1, 17)).toString('hex')] : []))
      const [opens, closes] = [idsOf(openEntry.kind), idsOf(closeEntry.kind)]
      for (const id of new Set([...opened, ...opens, ...closes])) {
        const [open, close] = [opens, closes].map((all) => all.filter((one) => one === id).length)
        if (open !== 1 || close !== 1)
          violation(`auction ${id.slice(0, 8)} has ${open} openings and ${close} closes in the log`)
      }
      const closed = new Map(closesIn(log).map((close) => [close.publicRfqId, close]))
      const known = new Set(log.map((entry) => bytesToHex(entry)))
      for (const entry of promisedEntries.keys())
        if (!known.has(entry)) violation(`the log lacks the entry ${entry}, which a receipt promises`)
      if (!published) return violation('no process runs at the end')
      const proofLog = { ...published, cosigned: published.newest }
      const proofs = createAuctionProofs({ store: storeOf(database), proofLog, domain, clock: { now: () => 0 } })
      for (const { publicRfqId, hash, maker, seq, leaf } of promises.values()) {
        const leaves = (await proofs.leaves(publicRfqId.slice(2) as PublicRfqId))?.hashes ?? []
        const hashes = leaves.map((one) => fromBase64(one, 'A hash'))
        const close = closed.get(publicRfqId)
        if (!close || hashes.length !== close.count || bytesToHex(rootOf(hashes)) !== close.root)
          violation(`the leaves of the auction of ${short(hash)} do not match the log`)
        else if (bytesToHex(hashes[seq] ?? new Uint8Array()) !== leaf || seq >= hashes.length - 1)
          violation(`the transcript does not have the promised leaf of ${short(hash)}`)
        const proof = await proofs.quote(publicRfqId.slice(2) as PublicRfqId, maker)
        const verdict = proof.ok ? await verifyProof(proof.value, { log: logKey }) : null
        if (!verdict?.isValid) violation(`the proof of ${short(hash)} is not valid: ${verdict?.reason}`)
        else trace.note('proof verified')
      }
      const [one] = promises.values()
      // Recovering a signer takes as long as a tenth of a history, so one receipt stands for all.
      if (one) {
        const { signer } = await recoverReceipt(one.receipt)
        if (signer.toLowerCase() !== keys.signer || one.receipt.log !== logOrigin)
          violation(`the receipt of ${short(one.hash)} has another signer`)
      }
    },
  }
}

/** The database's proofs without a network or faults. */
function storeOf({ proofs }: SimDatabase): ProofStore {
  const methods = Object.entries(proofs).map(([name, method]) => [
    name,
    async (...given: unknown[]) => (method as (...given: unknown[]) => unknown)(...given),
  ])
  return Object.fromEntries(methods)
}
