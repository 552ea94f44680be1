/** What {@link findBestSubset} may pick, once. */
export type SubsetItem = {
  /** Above zero. */
  size: bigint
  /** Above zero. */
  worth: bigint
  /** The group whose room it shares; -1 for none. */
  group: number
}

/** What a subset keeps to. */
export type SubsetLimits = {
  /** The most that the sizes may be together. */
  room: bigint
  /** The same for each group. */
  groupRooms: readonly bigint[]
  /** The most items of a subset. */
  most: number
  /** What a subset must be worth to be found. */
  atLeast: bigint
  /** After how many steps the search ends. */
  steps: number
}

/**
 * The subset that is worth most: of equal ones the one of fewer items, then the one whose items come first.
 *
 * One item is tried first, then two, and so on: a search that its bound ends has seen the smaller subsets, however many items were
 * made to keep it busy.
 *
 * @param items sorted by worth, the most first.
 * @returns `picked` has indices of `items`, and is empty where nothing reaches `atLeast`; `complete` is false where the bound ended
 *   the search.
 */
export function findBestSubset(
  items: readonly SubsetItem[],
  { room, groupRooms, most, atLeast, steps }: SubsetLimits,
): { picked: number[]; complete: boolean } {
  const count = items.length
  /** What the first items are worth together. */
  const sums = [0n]
  for (const { worth } of items) sums.push((sums.at(-1) ?? 0n) + worth)
  /** From each place on: the item with most worth for its size, and the least size. */
  const densest: SubsetItem[] = []
  const leastSizes: bigint[] = []
  let areSizesSorted = true
  for (let index = count - 1; index >= 0; index -= 1) {
    const item = items[index] as SubsetItem
    const next = densest[index + 1]
    densest[index] = next && next.worth * item.size >= item.worth * next.size ? next : item
    const least = leastSizes[index + 1]
    leastSizes[index] = least !== undefined && least < item.size ? least : item.size
    areSizesSorted &&= index === count - 1 || item.size >= (items[index + 1] as SubsetItem).size
  }
  const groupLeft = [...groupRooms]
  const path: number[] = []
  let picked: number[] = []
  let best = atLeast - 1n
  let left = steps

  /** The first place from `from` on whose item is not larger than `size`; `from` itself where sizes are in no order. */
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

  /** Tries the subsets that have `more` items from `from` on beside those of the path. */
  const visit = (from: number, more: number, rest: bigint, worth: bigint): void => {
    /** What was last found to leave something to gain. */
    let [open, openBest] = [undefined as SubsetItem | undefined, best]
    const others = BigInt(more - 1)
    let index = skipLarger(from, rest - others * (leastSizes[from] ?? 0n))
    for (; index + more <= count; index += 1) {
      left -= 1
      if (left < 0) return
      // Neither this many of the most worth, nor the densest item in all of the room: then none that follows either.
      const missing = best - worth
      if ((sums[index + more] as bigint) - (sums[index] as bigint) <= missing) return
      const dense = densest[index] as SubsetItem
      if (open !== dense || openBest !== best) {
        if (rest * dense.worth <= missing * dense.size) return
        open = dense
        openBest = best
      }
      const item = items[index] as SubsetItem
      if (item.size + others * (leastSizes[index] as bigint) > rest) continue
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
      // What follows is worth no more than the first one that fits.
      if (more === 1 || left < 0) return
    }
  }

  for (let taken = 1; taken <= most && left >= 0; taken += 1) visit(0, taken, room, 0n)
  return { picked, complete: left >= 0 }
}
