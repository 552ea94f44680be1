import { drawHistory, type History, type ScenarioName } from './plan.ts'
import { expectedAfter } from './reached.ts'
import { shrinkHistory } from './shrinkHistory.ts'
import { runHistory } from './world.ts'

/**
 * Options for a run, which starts with seed `from` and ends after `minutes` or `histories`. With `isAlone`, only one
 * history runs, and its trace is printed.
 */
export type Options = {
  from: number
  minutes: number
  histories: number
  scenarios: readonly ScenarioName[]
  isAlone: boolean
}

/**
 * Runs histories and prints a summary.
 *
 * @returns number of scenarios that passed and failed. Missing kinds of events count as one failure.
 */
export async function runSimulation(
  options: Options,
  write: (text: string) => void,
): Promise<{ passed: number; failed: number }> {
  const { from, minutes, histories: most, scenarios, isAlone } = options
  write(`Simulating ${scenarios.join(', ')} from seed ${from}\n`)
  const startedAt = performance.now()
  const usedBefore = process.cpuUsage()
  const counts = new Map<string, number>()
  const failed = new Set<ScenarioName>()
  let [histories, auctions, milliseconds] = [0, 0, 0]

  const isOver = () => (isAlone ? histories > 0 : histories >= most || performance.now() - startedAt > minutes * 60_000)
  for (let seed = from; !isOver(); seed += 1) {
    const scenario = scenarioOf(seed, scenarios)
    const history = drawHistory(seed, scenario)
    const outcome = await runHistory(history, { keepLines: isAlone })
    histories += 1
    auctions += outcome.auctions
    milliseconds += outcome.milliseconds
    for (const [kind, count] of outcome.counts) counts.set(kind, (counts.get(kind) ?? 0) + count)
    if (isAlone) write(`${outcome.lines.join('\n')}\nseed ${seed} ${scenario} ${outcome.hash}\n`)
    if (outcome.violations.length === 0) continue
    write(`FAILED --scenario ${scenario} --seed ${seed}\n${outcome.violations.join('\n')}\n`)
    // Many seeds expose the same bug, so only the first failure of each scenario is shrunk.
    if (!failed.has(scenario)) await reportShortest(history, write)
    failed.add(scenario)
  }

  const used = process.cpuUsage(usedBefore)
  const seconds = (used.user + used.system) / 1e6
  const rate = (count: number) => (count / seconds).toFixed(1)
  write(
    `${[...counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([kind, count]) => `${kind}: ${count}`)
      .join(', ')}\n`,
  )
  const expected = isAlone ? [] : expectedAfter(histories, scenarios)
  const missing = expected.filter((kind) => !counts.has(kind))
  if (missing.length > 0) write(`FAILED to reach: ${missing.join(', ')}\n`)
  write(
    `${histories} histories from seed ${from} (${rate(histories)} per second on one core), ${auctions} auctions (${rate(auctions)} per second), ${(milliseconds / 3_600_000).toFixed(1)} simulated hours, ${seconds.toFixed(1)} s\n`,
  )
  const lost = failed.size + (missing.length > 0 ? 1 : 0)
  const passed = scenarios.length - failed.size
  write(`Scenarios: ${passed} passed, ${lost} failed\n`)
  return { passed, failed: lost }
}

/**
 * Cycles through the scenarios. The `crowd` scenario takes as long as eight others, so a smaller variant runs instead
 * seven times out of eight.
 */
function scenarioOf(seed: number, scenarios: readonly ScenarioName[]): ScenarioName {
  const scenario = scenarios[seed % scenarios.length] ?? 'default'
  const isLeftOut = scenario === 'crowd' && scenarios.length > 1 && Math.floor(seed / scenarios.length) % 8 > 0
  return isLeftOut ? 'many' : scenario
}

async function reportShortest(history: History, write: (text: string) => void): Promise<void> {
  const shortest = await shrinkHistory(history, async (candidate) => {
    const { violations } = await runHistory(candidate)
    return violations.length > 0
  })
  const { violations, lines } = await runHistory(shortest, { keepLines: true })
  // The last lines of the trace lead up to the violation.
  const ending = [...lines.slice(-40).map((line) => `    ${line}`), ...violations].join('\n')
  write(`Shortest history that still fails:\n${describeHistory(shortest)}\n${ending}\n`)
}

/** Describes a history as text, with its actions in chronological order. */
function describeHistory({ actions, ...facts }: History): string {
  return [facts, ...actions].map((one) => JSON.stringify(one)).join('\n')
}
