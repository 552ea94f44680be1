/** An item that {@link findBestSubset} may pick once. */
export type SubsetItem = {
  /** Positive. */
  size: bigint
  /** Positive. */
  worth: bigint
  /** Index of the group whose capacity the item uses, or -1 if it belongs to no group. */
  group: number
}

/** Constraints on the subset, and limits on the search. */
export type SubsetLimits = {
  /** Maximum total size. */
  room: bigint
  /** Maximum total size per group. */
  groupRooms: readonly bigint[]
  /** Maximum number of items. */
  most: number
  /** Minimum worth of a result. */
  atLeast: bigint
  /** Maximum number of search steps. */
  steps: number
}

/**
 * Finds the subset with the highest total worth. Ties go to the subset with fewer items, then to the first in index
 * order.
 *
 * The search tries subsets of one item, then of two, and so on. If the search reaches `steps` while trying subsets of
 * one size, it has already tried all smaller subsets, even if items are crafted to slow it down.
 *
 * @param items Sorted by worth, highest first.
 * @returns `picked` contains indices into `items`. It is empty if no subset reaches `atLeast`. `complete` is false if
 * the search reached `steps`.
 */
export function findBestSubset(
  items: readonly SubsetItem[],
  { room, groupRooms, most, atLeast, steps }: SubsetLimits,
): { picked: number[]; complete: boolean } {
  const count = items.length
  /** `sums[n]` is the total worth of the first `n` items. */
  const sums = [0n]
  for (const { worth } of items) sums.push((sums.at(-1) ?? 0n) + worth)
  /** For each index, the densest item (highest worth per size) and the smallest size from that index on. */
  const densest: SubsetItem[] = []
  const minSizes: bigint[] = []
  let areSizesSorted = true
  for (let index = count - 1; index >= 0; index -= 1) {
    const item = items[index] as SubsetItem
    const next = densest[index + 1]
    densest[index] = next && next.worth * item.size >= item.worth * next.size ? next : item
    const least = minSizes[index + 1]
    minSizes[index] = least !== undefined && least < item.size ? least : item.size
    areSizesSorted &&= index === count - 1 || item.size >= (items[index + 1] as SubsetItem).size
  }
  const groupLeft = [...groupRooms]
  const path: number[] = []
  let picked: number[] = []
  let best = atLeast - 1n
  let left = steps

  /** Returns the index of the first item at or after `from` that fits into `size`, or `from` if sizes are unordered. */
  const skipLarger = (from: number, size: bigint): number => {
    if (!areSizesSorted) return from
    let [low, high] = [from, count]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((items[middle] as SubsetItem).size > size) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Tries all subsets that extend the current path by `more` items, starting at index `from`. */
  const visit = (from: number, more: number, rest: bigint, worth: bigint): void => {
    /** The last item that passed the bound, and the best worth at that point. */
    let [open, openBest] = [undefined as SubsetItem | undefined, best]
    const others = BigInt(more - 1)
    let index = skipLarger(from, rest - others * (minSizes[from] ?? 0n))
    for (; index + more <= count; index += 1) {
      left -= 1
      if (left < 0) return
      // Prune if the gap is too large for the most valuable remaining items, or for filling the room with the densest
      // item.
      const missing = best - worth
      if ((sums[index + more] as bigint) - (sums[index] as bigint) <= missing) return
      const dense = densest[index] as SubsetItem
      if (open !== dense || openBest !== best) {
        if (rest * dense.worth <= missing * dense.size) return
        open = dense
        openBest = best
      }
      const item = items[index] as SubsetItem
      if (item.size + others * (minSizes[index] as bigint) > rest) continue
      if (item.group >= 0) {
        const groupRest = (groupLeft[item.group] as bigint) - item.size
        if (groupRest < 0n) continue
        groupLeft[item.group] = groupRest
      }
      path.push(index)
      if (more === 1) {
        picked = [...path]
        best = worth + item.worth
      } else visit(index + 1, more - 1, rest - item.size, worth + item.worth)
      path.pop()
      if (item.group >= 0) groupLeft[item.group] = (groupLeft[item.group] as bigint) + item.size
      // No later item is worth more than the first item that fits.
      if (more === 1 || left < 0) return
    }
  }

  for (let taken = 1; taken <= most && left >= 0; taken += 1) visit(0, taken, room, 0n)
  return { picked, complete: left >= 0 }
}
