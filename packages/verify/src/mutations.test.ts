import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { bytesToHex } from 'viem'
import { type Mutation, refusalOf, type Vectors } from '../test/checkVectors.ts'
import { createProofFiles, itemOf } from '../test/proofFiles.ts'
import { createLog, hashOf } from '../test/proofFixture.ts'
import { fromBase64, toBase64 } from './bytes.ts'
import { type AuctionProof, formatProof, type Opening } from './proofFile.ts'
import { decodeRecord, encodeRecord, type Layout, type RecordOf } from './record.ts'
import { closeEntry, closeLeaf, openEntry, openLeaf, quoteLeaf } from './structures.ts'
import { rootOf } from './tree.ts'
import { verifyProof } from './verifyProof.ts'

// 10,000 random changes, all of which the verifier refuses.

const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)
const vectors: Vectors = JSON.parse(readFileSync(new URL('../../../docs/vectors/proofs.json', import.meta.url), 'utf8'))

const sentence = /^[A-Z0-9](?:[^\n.]|\.(?! ))*\.$/
/** Words of JavaScript's own errors, which tell a reader nothing. */
const internal = /undefined|NaN|Cannot|Unexpected|is not a function|not iterable|BigInt|Invalid/

function expectReason(reason: string | null, what: unknown): void {
  if (reason === null) throw new Error(`The verifier accepted ${JSON.stringify(what)}`)
  expect(reason).toMatch(sentence)
  expect(reason).not.toMatch(internal)
}

/** A random choice: of a place, of a change, and of its details. */
type Choice = { at: number; how: number; detail: number }
const choice = fc.record({ at: fc.nat(), how: fc.nat(), detail: fc.nat() })

function pick<Item>(items: readonly Item[], index: number): Item {
  return itemOf(items, index % items.length)
}

/** Changes an input, or returns null if the choice changes nothing. */
const mutators: {
  [Of in 'file' | 'receipt' | 'checkpoint' | 'logProof' | 'tile']: (choice: Choice) => Mutation | null
} = {
  file(given) {
    const text = mutateJson(pick(vectors.files, given.at), given)
    // A fork needs no cosignature.
    const bare = (file: string) => file.replaceAll(/— witness\S+ [^\\]+\\n/g, '')
    const isSame = vectors.files.some((file) => file === text || (/"fork"/.test(file) && bare(file) === bare(text)))
    return isSame ? null : { of: 'file', what: 'a file', input: text }
  },
  receipt(given) {
    const all = vectors.receipts.map(({ receipt }) => JSON.stringify(receipt))
    const text = mutateJson(pick(all, given.at), given)
    return all.includes(text) ? null : { of: 'receipt', what: 'a receipt', input: JSON.parse(text) }
  },
  checkpoint(given) {
    const { checkpoint } = vectors.log
    const input = mutateText(checkpoint, given)
    // A note's signatures may have any order.
    const isSame = input.split('\n').sort().join() === checkpoint.split('\n').sort().join()
    return isSame ? null : { of: 'checkpoint', what: 'a checkpoint', input }
  },
  logProof(given) {
    const { entry, text } = vectors.logProof
    if (given.how % 8 === 7) return { of: 'logProof', what: 'an entry', input: { entry: flipBit(entry, given), text } }
    const changed = mutateText(text, given)
    const isSame = changed.split('\n').sort().join() === text.split('\n').sort().join()
    return isSame ? null : { of: 'logProof', what: 'a log proof', input: { entry, text: changed } }
  },
  tile(given) {
    const { path, bytes } = pick(vectors.log.tiles, given.at)
    const other = pick(vectors.log.tiles, given.detail)
    const changes = [flipBit(bytes, given), bytes.slice(0, -4), other.bytes, `${bytes.slice(4)}${bytes.slice(0, 4)}`]
    const changed = pick(changes, given.how)
    return changed === bytes ? null : { of: 'tile', what: path, input: { path, bytes: changed } }
  },
}

describe(`10,000 changes (seed ${seed})`, () => {
  test.each([
    ['file', 6_500],
    ['receipt', 700],
    ['checkpoint', 1_200],
    ['logProof', 1_200],
    ['tile', 150],
  ] as const)(
    'error: %s, %d times',
    async (of, numRuns) => {
      const reasons = new Set<string>()
      const property = fc.asyncProperty(choice, async (given) => {
        const mutation = mutators[of](given)
        fc.pre(mutation !== null)
        const reason = await refusalOf(vectors, mutation as Mutation)
        expectReason(reason, mutation)
        reasons.add(reason ?? '')
      })
      await fc.assert(property, { seed, numRuns })
      expect(reasons.size).toBeGreaterThan(of === 'file' ? 60 : 3)
    },
    60_000,
  )

  test('error: transcripts of a log that lies consistently, 250 times', async () => {
    const log = createLog()
    const { files } = await createProofFiles(log)
    const size = log.entries.length
    const reasons = new Set<string>()
    const property = fc.asyncProperty(choice, async (given) => {
      const lie = lieOf(files.auction, given)
      fc.pre(lie !== null)
      const { open, close, leaves } = lie as NonNullable<typeof lie>
      const [openIndex, closeIndex] = [log.append(open), log.append(close)]
      const file = { ...files.auction, leaves, open: log.prove(openIndex), close: log.prove(closeIndex) }
      for (const list of [log.entries, log.hashes]) list.length = size
      const verdict = await verifyProof(formatProof(file))
      expectReason(verdict.isValid ? null : verdict.reason, given)
      reasons.add(verdict.isValid ? '' : verdict.reason)
    })
    await fc.assert(property, { seed, numRuns: 250 })
    expect(reasons.size).toBeGreaterThan(8)
  }, 60_000)
})

/** Drops a random value of a text in JSON, repeats, swaps or replaces it. */
function mutateJson(text: string, { how, detail }: Choice): string {
  const file: unknown = JSON.parse(text)
  const all = placesOf(file)
  const { holder, name } = pick(all, detail)
  const value = holder[name]
  const other = pick(all, Math.floor(detail / all.length))
  const foreign = pick(placesOf(JSON.parse(pick(vectors.files, detail))), Math.floor(detail / 7))
  const set = (changed: unknown) => {
    holder[name] = changed
  }
  const changes = [
    () => (Array.isArray(holder) ? holder.splice(Number(name), 1) : delete holder[name]),
    () => (Array.isArray(holder) ? holder.splice(Number(name), 0, structuredClone(value)) : set([value])),
    () => {
      const [a, b] = [structuredClone(value), structuredClone(other.holder[other.name])]
      other.holder[other.name] = a
      set(b)
    },
    () => set(foreign.holder[foreign.name]),
    () => set(null),
    // Most changes are of values, so that they pass the checks of shapes.
    ...Array.from({ length: 11 }, () => () => set(mutateValue(value, { at: how, how: Math.floor(how / 16), detail }))),
  ]
  pick(changes, how)()
  return `${JSON.stringify(file)}${text.endsWith('\n') ? '\n' : ''}`
}

/** All values within a value, with the objects and lists that hold them. */
function placesOf(value: unknown): { holder: Record<string, unknown>; name: string }[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => [
    { holder: value as Record<string, unknown>, name },
    ...placesOf(item),
  ])
}

function mutateValue(value: unknown, given: Choice): unknown {
  if (typeof value === 'number') return pick([value + 1, Math.max(0, value - 1), given.detail, -1, 0.5], given.how)
  if (Array.isArray(value)) return pick([value.toReversed(), value.slice(1), value.slice(0, -1), []], given.how)
  if (typeof value !== 'string') return value
  if (value.includes('\n')) return mutateText(value, given)
  if (/^0x[0-9a-f]+$/.test(value)) {
    const at = 2 + (given.detail % (value.length - 2))
    const digit = (Number.parseInt(value[at] ?? '0', 16) ^ (1 + (given.how % 15))).toString(16)
    return value.slice(0, at) + digit + value.slice(at + 1)
  }
  if (/^\d+$/.test(value)) return String(BigInt(value) + BigInt(1 + (given.how % 9)))
  return isBase64(value) ? flipBit(value, given) : changeLetter(value, given)
}

/** Changes a line of a note or a log proof. */
function mutateText(text: string, given: Choice): string {
  const lines = text.split('\n')
  const at = given.detail % lines.length
  const line = itemOf(lines, at)
  const [, start = '', encoded] = /^(— \S+ )?([A-Za-z0-9+/=]+)$/.exec(line) ?? []
  const changed = [
    lines.toSpliced(at, 1),
    lines.toSpliced(at, 0, line),
    lines.with(at, pick(lines, Math.floor(given.detail / lines.length))),
    ...Array.from({ length: 4 }, () =>
      lines.with(
        at,
        encoded !== undefined && isBase64(encoded) ? start + flipBit(encoded, given) : changeLetter(line, given),
      ),
    ),
  ]
  return pick(changed, given.how).join('\n')
}

function isBase64(text: string): boolean {
  return text !== '' && btoa(Buffer.from(text, 'base64').toString('latin1')) === text
}

/** Changes a bit of bytes in base64. */
function flipBit(text: string, { how, detail }: Choice): string {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length === 0) return text
  const at = detail % bytes.length
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (how % 8))
  return bytes.toString('base64')
}

/** Replaces a letter by a printable one. */
function changeLetter(text: string, { how, detail }: Choice): string {
  if (text === '') return '~'
  const at = detail % text.length
  return text.slice(0, at) + String.fromCharCode(33 + ((text.charCodeAt(at) + how) % 94)) + text.slice(at + 1)
}

/** The name of a field that the quotes or the log's entries determine. */
type Determined = { leaf: 'open' | 'quote' | 'close'; name: string }
const determined: readonly Determined[] = [
  ...['poolId', 'seriesKey', 'flags', 'openedAt', 'closesAt'].map((name) => ({ leaf: 'open', name }) as const),
  ...['seq', 'hash', 'signature', 'maker'].map((name) => ({ leaf: 'quote', name }) as const),
  ...['closedAt', 'ranking', 'best', 'notional', 'cost'].map((name) => ({ leaf: 'close', name }) as const),
]

/** Changes a determined field of a transcript, or its quotes' order, and commits to the result. */
function lieOf(file: AuctionProof, { at, how, detail }: Choice) {
  const leaves = structuredClone(file.leaves) as Opening[]
  const { leaf, name } = pick(determined, at)
  const index = { open: 0, quote: 1 + (detail % 3), close: leaves.length - 1 }[leaf]
  const { kind, layout } = { open: openLeaf, quote: quoteLeaf, close: closeLeaf }[leaf] as typeof openLeaf
  const honest = itemOf(leaves, index)
  if (how % 8 === 0) {
    const other = 1 + (Math.floor(detail / 3) % 3)
    const [a, b] = [itemOf(leaves, 1 + (detail % 3)), itemOf(leaves, other)]
    leaves[leaves.indexOf(a)] = b
    leaves[other] = a
  } else {
    const record: Record<string, unknown> = decodeRecord(kind, layout as Layout, fromBase64(honest.record, 'A record'))
    // A set flag with a value of zero is an opening, too.
    record[name] = name === 'flags' ? pick([0, 2, 4, 255], how) : changeField(record[name], how, detail)
    leaves[index] = { ...honest, record: toBase64(encodeRecord(kind, layout as Layout, record as RecordOf<Layout>)) }
  }
  if (formatProof({ ...file, leaves }) === formatProof(file)) return null
  const opened = decodeRecord(openEntry.kind, openEntry.layout, fromBase64(file.open.record, 'An entry'))
  const closed = decodeRecord(closeEntry.kind, closeEntry.layout, fromBase64(file.close.record, 'An entry'))
  const hashes = leaves.map(hashOf)
  return {
    leaves,
    open: encodeRecord(openEntry.kind, openEntry.layout, { ...opened, openLeaf: bytesToHex(itemOf(hashes, 0)) }),
    close: encodeRecord(closeEntry.kind, closeEntry.layout, { ...closed, root: bytesToHex(rootOf(hashes)) }),
  }
}

function changeField(value: unknown, how: number, detail: number): unknown {
  if (typeof value === 'bigint') return value + 1n + BigInt(how % 1_000)
  if (typeof value === 'number') return (value + 1 + (how % 200)) % 256
  if (Array.isArray(value)) return pick([value.toReversed(), value.slice(1), [...value, 1], value.with(0, 9)], detail)
  return mutateValue(value, { at: 0, how, detail })
}
