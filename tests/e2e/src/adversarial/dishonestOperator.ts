import { createHash } from 'node:crypto'
import type { RfqId } from '@firmquote/core'
import { createLogReader, readAuctionProof } from '@firmquote/sdk/proofs'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import type { Stack } from '@firmquote/test-support/startStack'
import {
  type AuctionProof,
  buildBatch,
  closeEntry,
  decodeRecord,
  encodeRecord,
  formatKey,
  formatProof,
  hashLeaf,
  hashReceipt,
  hashSalted,
  openEntry,
  parseCheckpoint,
  parseNote,
  parseProof,
  type Receipt,
  refusedLeaf,
  rootOf,
  toBase64,
  verifyCheckpoint,
} from '@firmquote/verify'
import { bytesToHex, type Hex, isAddressEqual } from 'viem'
import { sign as signHash } from 'viem/accounts'
import type { startHttpWitness } from '../../../../apps/server/test/httpWitness.ts'
import { hashOf, type NoteSigner } from '../../../../packages/verify/test/proofFixture.ts'
import { askWitness, auctionsOf, type FalseLog } from './falseLog.ts'
import { lieAbout } from './falseTranscript.ts'
import type { ChannelMessage, Lies } from './lyingService.ts'

/** Lies about one auction each. An auction's notional names its lie. */
export const auctionLies = [
  'drop',
  'reorder',
  'alter',
  'ranking',
  'best',
  'late',
  'never',
  'refusal',
  'replay',
] as const
export type AuctionLie = (typeof auctionLies)[number]
/** All lies: also an invented auction, a witness's other history, and a rewritten tile. */
export type Lie = AuctionLie | 'backdate' | 'fork' | 'rewrite'

const baseNotional = 10_000_000_000n

/** The notional of an auction about which the operator lies. */
export function notionalOf(lie: AuctionLie): bigint {
  return baseNotional + BigInt(auctionLies.indexOf(lie))
}

/** The parts of a dishonest operator: an honest server, its keys, and an honest witness that cosigns what it shows. */
export type OperatorDeps = {
  stack: Stack
  signer: NoteSigner
  receiptKey: Hex
  witness: Awaited<ReturnType<typeof startHttpWitness>>
  /** The log that the operator shows. */
  log: FalseLog
  /** The account of the maker to which the operator lies. */
  maker: Hex
  /** Resolves to the borrower's secret id of the auction. */
  secretOf(lie: AuctionLie): Promise<RfqId>
}

/** Creates an operator that lies about auctions, a witness and receipts. Each lie is made once. */
export function createDishonestOperator(deps: OperatorDeps) {
  const { stack, signer, receiptKey, witness, log, maker, secretOf } = deps
  const origin = signer.key.name
  const lies = new Map<string, AuctionLie>()
  const ids = new Map(auctionLies.map((lie) => [lie, createDeferred<string>()]))
  const provable = new Map(
    [...auctionLies, 'backdate', 'fork', 'rewrite'].map((lie) => [lie, createDeferred<number>()]),
  )
  const nowProvable = (lie: Lie, at = Date.now()) => provable.get(lie)?.resolve(at)
  const replayed = createDeferred<string>()
  const refused = createDeferred<unknown>()

  const falseTranscripts = new Map<string, AuctionProof>()
  let held: Uint8Array | null = null
  /** Shows an entry of the honest log, or the operator's version of it. */
  const show = async (entry: Uint8Array): Promise<void> => {
    const closed = entry[0] === closeEntry.kind ? decodeRecord(closeEntry.kind, closeEntry.layout, entry) : null
    const id = closed?.publicRfqId.slice(2) ?? ''
    const lie = lies.get(id)
    if (!closed || !lie || lie === 'refusal' || lie === 'replay') return log.append(entry)
    if (lie === 'never') return
    if (lie === 'late') {
      held = entry
      return
    }
    const text = await readAuctionProof(stack.url, await secretOf(lie), { timeoutMs: 60_000 })
    const honest = parseProof(text) as AuctionProof
    const leaves = lieAbout(honest.leaves, lie, maker)
    const root = bytesToHex(rootOf(leaves.map(hashOf)))
    falseTranscripts.set(id, { ...honest, leaves })
    log.append(encodeRecord(closeEntry.kind, closeEntry.layout, { ...closed, count: leaves.length, root }))
  }

  const honest = createLogReader({ url: `${stack.url}/log/1`, key: formatKey(signer.key) })
  const honestEntries: Uint8Array[] = []
  const trusted = { log: signer.key, witnesses: [witness.key] }
  /** Copies the honest log, and publishes what the operator shows of it, cosigned by the witness. */
  const publish = async () => {
    const head = await honest.checkpoint()
    for (const entry of await honest.entries(honestEntries.length, head.size, head)) {
      await show(entry)
      honestEntries.push(entry)
    }
    const own = log.sign()
    const note = own + (await askWitness(witness, log, own))
    log.publish(note)
    const [cosigned] = (await verifyCheckpoint(note, trusted)).witnesses
    if (!cosigned) throw new TypeError('The witness refused an honest extension of the log.')
    const entries = auctionsOf(log)
    for (const [id, lie] of lies) {
      const { closesAt = 0, close } = entries.get(id) ?? {}
      const mergeBy = Math.ceil(closesAt / 1_000) + 60
      if ((lie === 'late' || lie === 'never') && closesAt > 0 && cosigned.time >= mergeBy) nowProvable(lie)
      if (close === undefined) continue
      if (lie === 'ranking' || lie === 'best') nowProvable(lie)
      if (lie === 'drop' || lie === 'reorder' || lie === 'alter') nowProvable(lie, mergeBy * 1_000)
    }
  }

  /** The receipt of an earlier auction, and the receipt that states a wrong refusal, by rfqId. */
  let earlier: unknown = null
  const refusals = new Map<string, Receipt>()
  const tell = async (message: ChannelMessage): Promise<ChannelMessage | null> => {
    const { type, rfqId, notional } = message
    const id = String(rfqId)
    if (type === 'rfq') {
      const lie = auctionLies.find((one) => String(notionalOf(one)) === notional)
      if (lie) lies.set(id, lie)
      if (lie) ids.get(lie)?.resolve(id)
    }
    const lie = lies.get(id)
    if (type === 'quote_ack' && lie === 'refusal' && message['status'] === 'accepted') {
      const { hash, receivedAt, id: request } = message
      const block = await stack.devnet.publicClient.getBlock()
      const record = encodeRecord(refusedLeaf.kind, refusedLeaf.layout, {
        ...{ publicRfqId: `0x${id}`, hash: hash as Hex, at: BigInt(Number(receivedAt)), code: 'NONCE_MISMATCH' },
        maker: maker.toLowerCase() as Hex,
        ...{ blockNumber: block.number, blockHash: block.hash },
      })
      refusals.set(String(hash), await signReceipt(record, { origin, privateKey: receiptKey }))
      return { type, id: request, rfqId, status: 'rejected', code: 'NONCE_MISMATCH', message: 'The nonce is wrong.' }
    }
    if (type === 'receipt' && lie === 'refusal') {
      nowProvable('refusal')
      return { ...message, receipt: refusals.get(String(message['hash'])) }
    }
    if (type === 'receipt' && lie === 'replay') {
      replayed.resolve(String(message['hash']))
      nowProvable('replay')
      return { ...message, receipt: earlier }
    }
    if (type === 'receipt') earlier = message['receipt']
    if (type === 'checkpoint' && isForking) return showFork(message)
    return message
  }
  let isForking = false
  let cosignedSize = -1
  /** Shows the witness another history of the size that it signed last. */
  const showFork = (message: ChannelMessage): ChannelMessage => {
    const { size } = parseCheckpoint(parseNote(String(message['note'])).text)
    if (size !== cosignedSize || honestEntries.length < size) return message
    const other = honestEntries.slice(0, size).map(hashLeaf)
    other[1] = hashLeaf(Uint8Array.of(openEntry.kind))
    nowProvable('fork')
    return { ...message, note: log.sign(rootOf(other), size) }
  }
  const accepts: Lies['accepts'] = (message) => {
    if (message.type === 'cosignature') cosignedSize = Number(message['size'])
    if (message.type !== 'quote' || lies.get(String(message['rfqId'])) !== 'refusal') return true
    const quote = message['quote'] as { maker: Hex }
    if (isAddressEqual(quote.maker, maker)) refused.resolve(quote)
    return true
  }
  const answer: Lies['answer'] = async (path) => {
    const listed = /^\/api\/v1\/log\/auctions\/([0-9a-f]{32})$/.exec(path)?.[1]
    if (listed !== undefined) {
      const { open = null, close = null } = auctionsOf(log).get(listed) ?? {}
      const own = falseTranscripts.get(listed)?.leaves.map((leaf) => toBase64(hashOf(leaf)))
      if (close === null) return JSON.stringify({ open, close, hashes: [] })
      const { hashes } = (await (await fetch(stack.url + path)).json()) as { hashes: string[] }
      return JSON.stringify({ open, close, hashes: own ?? hashes })
    }
    const secret = /^\/api\/v1\/rfq\/([0-9a-f]{32})\/proof$/.exec(path)?.[1]
    const id = secret === undefined ? '' : publicIdOf(secret)
    const transcript = falseTranscripts.get(id)
    const { open, close } = auctionsOf(log).get(id) ?? {}
    if (!transcript || open === undefined || close === undefined) return log.answer(path)
    const keys = [formatKey(signer.key), formatKey(witness.key)]
    return formatProof({ ...transcript, keys, open: log.prove(open), close: log.prove(close) })
  }

  return {
    lies: { tell, accepts, answer } satisfies Lies,
    publish,
    nowProvable,
    /** When a lie became provable, in Unix milliseconds. */
    provableAt: (lie: Lie) => provable.get(lie)?.promise,
    /** The public id of the auction. */
    idOf: (lie: AuctionLie) => ids.get(lie)?.promise,
    /** The quote that was refused wrongly, and the hash of the one whose receipt is another's. */
    refused: refused.promise,
    replayed: replayed.promise,
    /** The log's entries so far, before any lie. */
    honestEntries: honestEntries as readonly Uint8Array[],
    /** Shows the witness another history at its next checkpoint. */
    fork() {
      isForking = true
    },
    /** Adds the close that was held back. */
    closeLate() {
      if (!held) throw new TypeError('The server did not close the auction.')
      log.append(held)
    },
  }
}

/** Signs a batch of one record. */
async function signReceipt(
  record: Uint8Array,
  { origin, privateKey }: { origin: string; privateKey: Hex },
): Promise<Receipt> {
  const salt = createHash('md5').update(record).digest()
  const { root } = buildBatch([hashSalted(salt, record)])
  const mergeBy = Math.ceil(Date.now() / 1_000) + 60
  const hash = hashReceipt({ log: origin, batchRoot: bytesToHex(root), mergeBy })
  const signature = await signHash({ hash, privateKey, to: 'hex' })
  return { log: origin, mergeBy, signature, index: 0, path: [], salt: toBase64(salt), leaf: toBase64(record) }
}

function publicIdOf(rfqId: string): string {
  return createHash('sha256').update(`firmquote-rfq|${rfqId}`).digest('hex').slice(0, 32)
}
