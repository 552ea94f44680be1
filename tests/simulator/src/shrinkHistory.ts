import type { Action, History } from './plan.ts'

/**
 * Leaves out of a history whatever it still fails without: whole stretches first, then single actions, then what
 * borrowers do on the side.
 *
 * @param fails whether a history fails.
 * @param most how many histories are tried at most.
 */
export async function shrinkHistory(
  history: History,
  fails: (history: History) => Promise<boolean>,
  most = 400,
): Promise<History> {
  let tries = 0
  let shortest = history
  const tryWith = async (actions: Action[]): Promise<boolean> => {
    if (tries >= most) return false
    tries += 1
    const candidate = { ...shortest, actions }
    if (!(await fails(candidate))) return false
    shortest = candidate
    return true
  }

  for (let size = Math.ceil(history.actions.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < shortest.actions.length; ) {
      const { actions } = shortest
      if (!(await tryWith([...actions.slice(0, start), ...actions.slice(start + size)]))) start += size
    }
  }
  for (const [index] of shortest.actions.entries()) {
    for (let step = 0; ; ) {
      const { actions } = shortest
      const action = actions[index]
      if (action?.do !== 'auction' || step >= action.steps.length) break
      const without = { ...action, steps: action.steps.filter((_, place) => place !== step) }
      if (!(await tryWith(actions.with(index, without)))) step += 1
    }
  }
  return shortest
}
