import { setTimeout as sleep } from 'node:timers/promises'
import type { Receipt, RFQResult } from '@firmquote/core'
import { createLogReader } from '@firmquote/sdk/proofs'
import { until } from '@firmquote/test-support/until'
import {
  acceptedLeaf,
  closeEntry,
  decodeRecord,
  formatKey,
  fromBase64,
  hashLeaf,
  hashSalted,
  type NoteKey,
  openEntry,
  parseKey,
  recoverReceipt,
  rootOf,
  verifyCheckpoint,
  verifyProof,
} from '@firmquote/verify'
import { expect } from '@jest/globals'
import { bytesToHex, type Hex } from 'viem'
import { startHttpWitness } from '../../../apps/server/test/httpWitness.ts'
import type { CrashBackers } from './crashBackers.ts'

/** Milliseconds between two reads of the checkpoint. */
const pollMs = 100
/** Time limit for a proof with the witness's signature, and for a receipt, in milliseconds: the time of a promise. */
const waitMs = 60_000

/** Follows the log of a server that crashes: its checkpoints, its witness, and the receipts of makers. */
export type CrashProofs = Awaited<ReturnType<typeof startCrashProofs>>

/** Starts a witness, which the server finds in `settings`. `url` is the server's. */
export async function startCrashProofs(url: () => string) {
  const receipts = new Map<Hex, Receipt>()
  const notes = new Set<string>()
  let known: { log: NoteKey; signer: Hex } | null = null
  let isStopped = false

  const read = async (path: string) => {
    const response = await fetch(`${url()}${path}`, { signal: AbortSignal.timeout(5_000) })
    return response.ok ? await response.text() : null
  }
  const readKeys = async () => {
    if (known) return known
    const { proofs } = JSON.parse((await read('/api/v1/config')) ?? '{}') as {
      proofs: { key: string; signers: Hex[] }
    }
    known = { log: parseKey(proofs.key), signer: proofs.signers[0] as Hex }
    return known
  }
  const witness = await startHttpWitness(async () => (await readKeys()).log)
  const poll = async () => {
    while (!isStopped) {
      // The server may be down.
      const note = await read('/log/1/checkpoint').catch(() => null)
      if (note !== null) notes.add(note)
      await sleep(pollMs)
    }
  }
  const polling = poll()

  /** Waits for an auction's proof whose checkpoint the witness signed, and verifies it. */
  const proofOf = async ({ rfqId }: RFQResult) => {
    const { log } = await readKeys()
    let reason = 'There is none.'
    for (const end = performance.now() + waitMs; performance.now() < end; await sleep(pollMs)) {
      const text = await read(`/api/v1/rfq/${rfqId}/proof`)
      const verdict = text === null ? null : await verifyProof(text, { log, witnesses: [witness.key], quorum: 1 })
      if (verdict?.isValid && verdict.file.type === 'auction') return verdict.file
      // Only the witness may be missing.
      if (verdict?.isValid === false && verdict.cause !== 'policy') throw new TypeError(verdict.reason)
      if (verdict?.isValid === false) reason = verdict.reason
    }
    throw new TypeError(`The proof of ${rfqId} did not become valid: ${reason}`)
  }

  return {
    settings: { WITNESSES: `${formatKey(witness.key)}@${witness.url}`, READS_PER_MINUTE: '1000000' },
    receive: ({ hash, receipt }: { hash: Hex; receipt: Receipt }) => void receipts.set(hash, receipt),

    /**
     * Checks the proofs of auctions that have ended, and that the log kept every receipt's promise before its time.
     * Requests receipts that a crash has prevented, by sending the same quotes again.
     *
     * @returns the number of receipts, and the number of receipts requested again.
     */
    async check(results: readonly RFQResult[], { submissions }: Pick<CrashBackers, 'submissions'>) {
      const { signer, log } = await readKeys()
      const counts = { receipts: 0, again: 0 }
      for (const result of results) {
        const file = await proofOf(result)
        const provenAt = Date.now() / 1_000
        for (const { hash } of result.quotes) {
          if (!receipts.has(hash)) {
            counts.again += 1
            await submissions.find((one) => one.hash === hash)?.resend()
            await until(() => receipts.has(hash), {
              withinMs: waitMs,
              otherwise: () => `No receipt of ${hash} arrived.`,
            })
          }
          const receipt = receipts.get(hash) as Receipt
          const recovered = await recoverReceipt(receipt)
          const promise = decodeRecord(acceptedLeaf.kind, acceptedLeaf.layout, recovered.leaf)
          const { salt = '', record = '' } = file.leaves[promise.seq] ?? {}
          const leaf = hashSalted(fromBase64(salt, 'A salt'), fromBase64(record, 'A record'))
          expect({ hash: promise.hash, leaf: bytesToHex(leaf), signer: recovered.signer.toLowerCase() }).toEqual({
            ...{ hash, leaf: promise.leaf, signer },
          })
          expect(receipt.log).toBe(log.name)
          expect(provenAt).toBeLessThan(receipt.mergeBy)
          counts.receipts += 1
        }
      }
      return counts
    },

    /** Checks that all checkpoints are of one history, in which every auction was opened and closed once. */
    async finish() {
      const { log } = await readKeys()
      const reader = createLogReader({ url: `${url()}/log/1`, key: formatKey(log) })
      const head = await reader.checkpoint()
      const entries = await reader.entries(0, head.size, head)
      const hashes = entries.map(hashLeaf)
      for (const note of notes) {
        const { size, root } = await verifyCheckpoint(note, { log })
        expect([size, bytesToHex(rootOf(hashes.slice(0, size)))]).toEqual([size, bytesToHex(root)])
      }
      expect(witness.world.suspicions).toEqual([])
      const idsOf = ({ kind }: { kind: number }) =>
        entries.filter(([first]) => first === kind).map((entry) => Buffer.from(entry.subarray(1, 17)).toString('hex'))
      const [opened, closed] = [idsOf(openEntry), idsOf(closeEntry)]
      expect(new Set(opened).size).toBe(opened.length)
      expect([...closed].sort()).toEqual([...opened].sort())
      return { checkpoints: notes.size, auctions: opened.length, cosigned: witness.world.requests.length }
    },

    async stop() {
      isStopped = true
      await polling
      await witness.stop()
    },
  }
}
