import {
  checkpointText,
  closeEntry,
  consistencyPath,
  decodeRecord,
  formatLogProof,
  formatNote,
  hashLeaf,
  inclusionPath,
  openEntry,
  type ProvenEntry,
  parseCheckpoint,
  parseNote,
  rootOf,
  toBase64,
} from '@firmquote/verify'
import type { startHttpWitness } from '../../../../apps/server/test/httpWitness.ts'
import { type NoteSigner, signNote } from '../../../../packages/verify/test/proofFixture.ts'
import { serveLog } from '../../../../packages/verify/test/serveLog.ts'

/** A log that a dishonest operator shows in place of the real one, and signs with the real one's key. */
export type FalseLog = Awaited<ReturnType<typeof startFalseLog>>

/** Starts a log without entries. */
export async function startFalseLog(signer: NoteSigner) {
  const origin = signer.key.name
  const entries: Uint8Array[] = []
  const hashes: Uint8Array[] = []
  const server = await serveLog({ entries, hashes, origin, log: signer }, '')
  const set = (index: number, entry: Uint8Array) => {
    entries[index] = entry
    hashes[index] = hashLeaf(entry)
  }
  return {
    url: `${server.url}/log/1`,
    entries: entries as readonly Uint8Array[],
    append: (entry: Uint8Array) => set(entries.length, entry),
    /** Changes history. */
    rewrite: set,
    /** Signs a checkpoint of all entries, or of another tree. */
    sign(root = rootOf(hashes), size = hashes.length): string {
      const text = checkpointText({ origin, size, root })
      return formatNote({ text, signatures: [signNote(signer, text)] })
    },
    publish(note: string) {
      server.served.note = note
    },
    consistencyPath: (from: number) => consistencyPath(hashes, from),
    /** Proves an entry with the published checkpoint. */
    prove(index: number): ProvenEntry {
      const { note } = server.served
      const { size } = parseCheckpoint(parseNote(note).text)
      const path = inclusionPath(hashes.slice(0, size), index)
      return {
        record: toBase64(entries[index] as Uint8Array),
        proof: formatLogProof({ index, path, checkpoint: note }),
      }
    },
    /** The answer to a request for the real log, or null for other requests. */
    async answer(path: string): Promise<Uint8Array | null> {
      if (!path.startsWith('/log/1/')) return null
      return new Uint8Array(await (await fetch(server.url + path)).arrayBuffer())
    },
    stop: server.stop,
  }
}

/** Asks a witness to cosign a checkpoint, over HTTP. @returns its signature line. */
export async function askWitness(
  { url, world }: Awaited<ReturnType<typeof startHttpWitness>>,
  log: FalseLog,
  note: string,
): Promise<string> {
  const from = world.last?.size ?? 0
  const body = `old ${from}\n${log
    .consistencyPath(from)
    .map((hash) => `${toBase64(hash)}\n`)
    .join('')}\n${note}`
  return (await fetch(`${url}/add-checkpoint`, { method: 'POST', body })).text()
}

/** An auction's entries in a log, by their indices. `closesAt` is in Unix milliseconds. */
export type LoggedAuction = { open?: number; closesAt?: number; close?: number }

/** The auctions of a log, by public id. */
export function auctionsOf({ entries }: FalseLog): Map<string, LoggedAuction> {
  const auctions = new Map<string, LoggedAuction>()
  for (const [index, entry] of entries.entries()) {
    if (entry[0] === openEntry.kind) {
      const { publicRfqId, closesAt } = decodeRecord(openEntry.kind, openEntry.layout, entry)
      auctions.set(publicRfqId.slice(2), { open: index, closesAt: Number(closesAt) })
    } else if (entry[0] === closeEntry.kind) {
      const { publicRfqId } = decodeRecord(closeEntry.kind, closeEntry.layout, entry)
      auctions.set(publicRfqId.slice(2), { ...auctions.get(publicRfqId.slice(2)), close: index })
    }
  }
  return auctions
}
