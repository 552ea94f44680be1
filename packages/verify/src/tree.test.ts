import { describe, expect, test } from '@jest/globals'
import { bytesToHex } from 'viem'
import { utf8 } from './bytes.ts'
import { ProofError } from './proofError.ts'
import {
  consistencyPath,
  hashLeaf,
  inclusionPath,
  rootAfterPrefix,
  rootOf,
  rootOfInclusion,
  verifyConsistency,
} from './tree.ts'

const leaves = Array.from({ length: 34 }, (_, index) => hashLeaf(utf8(String(index))))
const headOf = (size: number) => ({ size, root: rootOf(leaves.slice(0, size)) })

describe('rootOf', () => {
  // The first roots of Certificate Transparency's reference tests.
  test.each([
    [0, '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    [1, '0x6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
    [2, '0xfac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
    [3, '0xaeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
    [8, '0x5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
  ])('default: of %d leaves', (size, root) => {
    const data = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
    expect(bytesToHex(rootOf(data.slice(0, size).map((hex) => hashLeaf(Buffer.from(hex, 'hex')))))).toBe(root)
  })
})

describe('rootOfInclusion', () => {
  test('default: every leaf of every tree, and no other leaf, index, size or path', () => {
    for (let size = 1; size <= leaves.length; size += 1) {
      const { root } = headOf(size)
      for (let index = 0; index < size; index += 1) {
        const path = inclusionPath(leaves.slice(0, size), index)
        const leaf = leaves[index] ?? root
        expect(rootOfInclusion(leaf, index, size, path)).toEqual(root)
        for (const other of [index - 1, index + 1].filter((at) => at >= 0 && at < size)) {
          expect(rootOrNull(leaf, other, size, path)).not.toEqual(root)
        }
        expect(() => rootOfInclusion(leaf, size, size, path)).toThrow(ProofError)
        expect(() => rootOfInclusion(leaf, index, size, [...path, leaf])).toThrow('too long')
        if (path.length > 0) expect(() => rootOfInclusion(leaf, index, size, path.slice(1))).toThrow('too short')
      }
    }
  })
})

describe('verifyConsistency', () => {
  test('default: every pair of trees, and no other root or path', () => {
    for (let from = 0; from <= leaves.length; from += 1) {
      for (let to = from; to <= leaves.length; to += 1) {
        const path = consistencyPath(leaves.slice(0, to), from)
        expect(() => verifyConsistency(headOf(from), headOf(to), path)).not.toThrow()
        const wrong = { size: from, root: hashLeaf(utf8('other')) }
        expect(() => verifyConsistency(wrong, headOf(to), path)).toThrow(ProofError)
        if (from > 0) expect(() => verifyConsistency(headOf(from), { ...wrong, size: to }, path)).toThrow(ProofError)
        expect(() => verifyConsistency(headOf(from), headOf(to), [...path, wrong.root])).toThrow(ProofError)
        if (path.length > 0)
          expect(() => verifyConsistency(headOf(from), headOf(to), path.slice(1))).toThrow(ProofError)
        if (from < to) expect(() => verifyConsistency(headOf(to), headOf(from), path)).toThrow(ProofError)
      }
    }
  })
})

describe('rootAfterPrefix', () => {
  test('default: every prefix of every tree', () => {
    for (let size = 0; size <= leaves.length; size += 1) {
      for (let from = 0; from <= size; from += 1) {
        const subtrees: Uint8Array[] = []
        for (let start = 0; start < from; ) {
          const count = 2 ** Math.floor(Math.log2(from - start))
          subtrees.push(rootOf(leaves.slice(start, start + count)))
          start += count
        }
        expect(rootAfterPrefix(from, subtrees, leaves.slice(from, size))).toEqual(headOf(size).root)
        expect(() => rootAfterPrefix(from, [...subtrees, rootOf([])], [])).toThrow('fewer')
        if (from > 0) expect(() => rootAfterPrefix(from, subtrees.slice(1), [])).toThrow('more')
      }
    }
  })
})

function rootOrNull(...given: Parameters<typeof rootOfInclusion>): Uint8Array | null {
  try {
    return rootOfInclusion(...given)
  } catch {
    return null
  }
}
