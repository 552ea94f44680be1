import { sha256 } from '#platform'
import { areEqual } from './bytes.ts'
import { ProofError } from './proofError.ts'

// Merkle trees of RFC 6962, section 2.1, with SHA-256. Sizes and indices are below 2^53.

const leafPrefix = Uint8Array.of(0)
const nodePrefix = Uint8Array.of(1)

/** Hashes a leaf's data. */
export function hashLeaf(data: Uint8Array): Uint8Array {
  return sha256(leafPrefix, data)
}

/** Hashes a leaf whose data is a salt and a record. Reveals nothing about the record to those who do not know the salt. */
export function hashSalted(salt: Uint8Array, record: Uint8Array): Uint8Array {
  return sha256(leafPrefix, salt, record)
}

/** Hashes two children. */
export function hashNode(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(nodePrefix, left, right)
}

/** Returns the root of a tree with these leaf hashes. The root of an empty tree is the hash of nothing. */
export function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  const [first] = leaves
  if (!first) return sha256()
  if (leaves.length === 1) return first
  const split = splitOf(leaves.length)
  return hashNode(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)))
}

/** Returns the hashes that prove the inclusion of the leaf at `index`: its sibling first, the root's child last. */
export function inclusionPath(leaves: readonly Uint8Array[], index: number): Uint8Array[] {
  if (leaves.length <= 1) return []
  const split = splitOf(leaves.length)
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  return index < split
    ? [...inclusionPath(left, index), rootOf(right)]
    : [...inclusionPath(right, index - split), rootOf(left)]
}

/** Returns the hashes that prove that the tree of the first `size` leaves is a prefix of the tree of all leaves. */
export function consistencyPath(leaves: readonly Uint8Array[], size: number): Uint8Array[] {
  const prove = (part: readonly Uint8Array[], known: number, isWhole: boolean): Uint8Array[] => {
    if (known === part.length) return isWhole ? [] : [rootOf(part)]
    const split = splitOf(part.length)
    return known <= split
      ? [...prove(part.slice(0, split), known, isWhole), rootOf(part.slice(split))]
      : [...prove(part.slice(split), known - split, false), rootOf(part.slice(0, split))]
  }
  return size === 0 ? [] : prove(leaves, size, true)
}

/**
 * Computes the root that a path implies for the leaf at `index` of a tree of `size` leaves.
 *
 * @throws {ProofError} if the index is not in the tree, or the path has another length.
 */
export function rootOfInclusion(
  leaf: Uint8Array,
  index: number,
  size: number,
  path: readonly Uint8Array[],
): Uint8Array {
  if (index >= size) throw new ProofError(`The tree of ${size} leaves has no leaf ${index}.`)
  let hash = leaf
  let [at, last] = [index, size - 1]
  for (const sibling of path) {
    if (last === 0) throw new ProofError('The path is too long.')
    const isRight = at % 2 === 1
    if (isRight || at === last) {
      hash = hashNode(sibling, hash)
      // Levels at which the rightmost node has no sibling.
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else {
      hash = hashNode(hash, sibling)
    }
    ;[at, last] = [half(at), half(last)]
  }
  if (last !== 0) throw new ProofError('The path is too short.')
  return hash
}

/** A tree's number of leaves and root. */
export type TreeHead = { size: number; root: Uint8Array }

/**
 * Verifies that the tree `from` is a prefix of the tree `to`.
 *
 * @throws {ProofError} if the path does not show it. Equal sizes need equal roots and an empty path; so does size 0.
 */
export function verifyConsistency(from: TreeHead, to: TreeHead, path: readonly Uint8Array[]): void {
  const inconsistent = new ProofError(`The tree of ${from.size} leaves is not a prefix of the tree of ${to.size}.`)
  if (from.size > to.size) throw inconsistent
  if (from.size === 0 || from.size === to.size) {
    const isSame = from.size === 0 ? areEqual(from.root, rootOf([])) : areEqual(from.root, to.root)
    if (!isSame) throw inconsistent
    if (path.length > 0) throw new ProofError('The path is too long.')
    return
  }
  let [at, last] = [from.size - 1, to.size - 1]
  while (at % 2 === 1) [at, last] = [half(at), half(last)]
  // If the old tree is a complete subtree of the new one, the path omits its root.
  const [first, ...others] = at === 0 ? [from.root, ...path] : path
  if (!first) throw new ProofError('The path is too short.')
  let [oldRoot, newRoot] = [first, first]
  for (const sibling of others) {
    if (last === 0) throw new ProofError('The path is too long.')
    if (at % 2 === 1 || at === last) {
      oldRoot = hashNode(sibling, oldRoot)
      newRoot = hashNode(sibling, newRoot)
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else {
      newRoot = hashNode(newRoot, sibling)
    }
    ;[at, last] = [half(at), half(last)]
  }
  if (last !== 0) throw new ProofError('The path is too short.')
  if (!areEqual(oldRoot, from.root) || !areEqual(newRoot, to.root)) throw inconsistent
}

/**
 * Computes the root of a tree from its first `size` leaves' complete subtrees, largest first, and all later leaves.
 *
 * @throws {ProofError} if a tree of `size` leaves has another number of subtrees.
 */
export function rootAfterPrefix(
  size: number,
  subtrees: readonly Uint8Array[],
  leaves: readonly Uint8Array[],
): Uint8Array {
  const parts: Subtree[] = []
  for (let left = size; left > 0; ) {
    const count = 2 ** Math.floor(Math.log2(left))
    const hash = subtrees[parts.length]
    if (!hash) throw new ProofError(`A tree of ${size} leaves has more subtrees.`)
    parts.push({ leaves: count, hash })
    left -= count
  }
  if (parts.length !== subtrees.length) throw new ProofError(`A tree of ${size} leaves has fewer subtrees.`)
  return rootOfSubtrees([...parts, ...leaves.map((hash) => ({ leaves: 1, hash }))])
}

/** A complete subtree: its root, and its number of leaves, which is a power of two. */
export type Subtree = { leaves: number; hash: Uint8Array }

/** Computes a tree's root from adjacent complete subtrees, from its first leaf to its last. */
export function rootOfSubtrees(subtrees: readonly Subtree[]): Uint8Array {
  const stack: Subtree[] = []
  for (const subtree of subtrees) {
    let added = subtree
    for (let last = stack.at(-1); last?.leaves === added.leaves; last = stack.at(-1)) {
      stack.pop()
      added = { leaves: 2 * added.leaves, hash: hashNode(last.hash, added.hash) }
    }
    stack.push(added)
  }
  const last = stack.pop()
  if (!last) return rootOf([])
  return stack.reduceRight((hash, { hash: left }) => hashNode(left, hash), last.hash)
}

/** The largest power of two below `size`, which is at least 2. */
function splitOf(size: number): number {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

/** Bitwise operators would truncate to 32 bits. */
function half(value: number): number {
  return Math.floor(value / 2)
}
