import type { History } from './plan.ts'

/**
 * Shrinks a failing history by removing long runs of actions, then single actions, as long as it still fails.
 *
 * @param fails whether a history fails.
 * @param most maximum number of histories to try.
 */
export async function shrinkHistory(
  history: History,
  fails: (history: History) => Promise<boolean>,
  most = 400,
): Promise<History> {
  let tries = 0
  let shortest = history
  for (let size = Math.ceil(history.actions.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < shortest.actions.length; ) {
      const candidate = { ...shortest, actions: shortest.actions.toSpliced(start, size) }
      tries += 1
      if (tries <= most && (await fails(candidate))) shortest = candidate
      else start += size
    }
  }
  return shortest
}
