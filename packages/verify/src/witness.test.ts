import { sign } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { createLog, createNoteSigner, signNote } from '../test/proofFixture.ts'
import { utf8 } from './bytes.ts'
import { checkpointText, parseCheckpoint } from './checkpoint.ts'
import { formatKey, formatNote, keyTypes, parseNote } from './note.ts'
import { formatProof } from './proofFile.ts'
import { consistencyPath, hashLeaf, rootOf } from './tree.ts'
import { verifyProof } from './verifyProof.ts'
import { cosign, judgeCheckpoint, proveFork, verifyCosignature } from './witness.ts'

const { log, origin, witness } = createLog()
const leavesOf = (size: number, name = '') => Array.from({ length: size }, (_, at) => hashLeaf(utf8(`${name}${at}`)))
const trunk = leavesOf(34)
/** A history that differs from the trunk from the leaf `at` on. */
const branchAt = (at: number, size = 34) => [...trunk.slice(0, at), ...leavesOf(size - at, 'other')]
const noteOf = (leaves: readonly Uint8Array[], signer = log) => {
  const text = checkpointText({ origin, size: leaves.length, root: rootOf(leaves) })
  return formatNote({ text, signatures: [signNote(signer, text)] })
}
const headOf = (size: number) => parseCheckpoint(parseNote(noteOf(trunk.slice(0, size))).text)
const offer = (leaves: readonly Uint8Array[], from: number) => ({
  note: noteOf(leaves),
  from,
  path: consistencyPath(leaves, from),
})
const judge = (leaves: readonly Uint8Array[], from: number, lastSize: number | null) =>
  judgeCheckpoint(offer(leaves, from), { log: log.key, last: lastSize === null ? null : headOf(lastSize) })

describe('judgeCheckpoint', () => {
  test('default: cosigns each later or equal size of one history, and the first checkpoint that it sees', async () => {
    expect(await judge(trunk, 0, null)).toMatchObject({ action: 'cosign', note: noteOf(trunk) })
    for (let size = 1; size <= trunk.length; size += 1) {
      for (let last = 1; last <= size; last += 1) {
        expect(await judge(trunk.slice(0, size), last, last)).toMatchObject({ action: 'cosign' })
      }
    }
  })

  test('error: never cosigns another history or a smaller size', async () => {
    for (let last = 1; last < trunk.length; last += 1) {
      expect(await judge(branchAt(last - 1), last, last)).toMatchObject({ action: 'suspect' })
      expect(await judge(branchAt(last - 1, last), last, last)).toMatchObject({ action: 'suspect' })
      // A history that differs only after the known part is the log's to choose.
      expect(await judge(branchAt(last), last, last)).toMatchObject({ action: 'cosign' })
      expect(await judge(trunk.slice(0, last), 0, last + 1)).toMatchObject({
        action: 'suspect',
        reason: `The log shows ${last} entries, but has shown ${last + 1} before.`,
      })
    }
  })

  test('behavior: asks for a proof from its own size', async () => {
    expect(await judge(trunk, 3, 5)).toEqual({ action: 'resync', size: 5 })
    expect(await judge(trunk, 3, null)).toEqual({ action: 'resync', size: 0 })
  })

  test('behavior: keeps only the signature of the log', async () => {
    const text = checkpointText(headOf(7))
    const signatures = [signNote(log, text), signNote(witness, text, 1_900_000_000)]
    const verdict = await judgeCheckpoint(
      { note: formatNote({ text, signatures }), from: 0, path: [] },
      { log: log.key, last: null },
    )
    expect(verdict).toMatchObject({ action: 'cosign', note: noteOf(trunk.slice(0, 7)) })
  })

  test('error: refuses a note of another log or of another key', async () => {
    const other = createNoteSigner(origin, keyTypes.log)
    const given = { note: noteOf(trunk, other), from: 0, path: [] }
    await expect(judgeCheckpoint(given, { log: log.key, last: null })).rejects.toThrow(`not signed by ${origin}`)
    const named = { ...log.key, name: 'other.example.com/log/1' }
    await expect(judgeCheckpoint(offer(trunk, 0), { log: named, last: null })).rejects.toThrow('not of other')
  })
})

describe('cosign', () => {
  const text = checkpointText(headOf(9))
  const signer = { key: witness.key, sign: (message: Uint8Array) => sign(null, message, witness.privateKey) }

  test('default: signs as the log and any verifier of C2SP cosignatures expect', async () => {
    const line = await cosign(text, { ...signer, time: 1_900_000_007 })
    expect(await verifyCosignature(text, line, witness.key)).toBe(1_900_000_007)
    expect(formatNote({ text, signatures: [signNote(witness, text, 1_900_000_007)] })).toBe(`${text}\n${line}\n`)
  })

  test('error: refuses a line of another text, key, type or encoding', async () => {
    const line = await cosign(text, { ...signer, time: 1_900_000_007 })
    const other = createNoteSigner(witness.key.name, keyTypes.witness)
    await expect(verifyCosignature(checkpointText(headOf(8)), line, witness.key)).rejects.toThrow('is wrong')
    await expect(verifyCosignature(text, line, other.key)).rejects.toThrow('not a cosignature of')
    const own = noteOf(trunk.slice(0, 9)).split('\n').at(-2) ?? ''
    await expect(verifyCosignature(text, own, log.key)).rejects.toThrow(`not a cosignature of ${formatKey(log.key)}`)
    await expect(verifyCosignature(text, `${line} `, witness.key)).rejects.toThrow('not a signature')
    await expect(verifyCosignature(text, `${line}\n${line}`, witness.key)).rejects.toThrow('not a signature')
  })
})

describe('proveFork', () => {
  const treeOf = (leaves: readonly Uint8Array[]) => ({
    log: log.key,
    source: {
      root: async (size: number) => rootOf(leaves.slice(0, size)),
      consistencyPath: async (from: number) => consistencyPath(leaves, from),
    },
  })

  test('default: proves two histories of equal and of different sizes, in either order', async () => {
    for (const size of [1, 2, 7, 8, 9, 33, 34]) {
      const notes = [noteOf(trunk.slice(0, size)), noteOf(branchAt(size - 1))] as const
      for (const pair of [notes, [notes[1], notes[0]] as const]) {
        const proof = await proveFork(pair, treeOf(branchAt(size - 1)))
        if (!proof) throw new TypeError('no fork was found')
        const text = `The log ${origin} signed two histories that differ in their first ${size} entries.`
        expect(await verifyProof(formatProof(proof), { log: log.key })).toMatchObject({
          statements: [{ isProved: true, text }],
        })
      }
    }
  })

  test('behavior: finds no fork in one history', async () => {
    expect(await proveFork([noteOf(trunk), noteOf(trunk.slice(0, 9))], treeOf(trunk))).toBeNull()
    expect(await proveFork([noteOf(trunk), noteOf(trunk)], treeOf(trunk))).toBeNull()
  })

  test('error: refuses tiles that are not of the larger checkpoint', async () => {
    const notes = [noteOf(trunk.slice(0, 9)), noteOf(branchAt(5))] as const
    await expect(proveFork(notes, treeOf(trunk))).rejects.toThrow('is not a prefix')
  })
})
