import { parseArgs } from 'node:util'
import { type ScenarioName, scenarios } from './plan.ts'

/** What a run of the simulator does. */
export type Options = {
  /** How many histories, unless the time is over before. */
  seeds: number
  from: number
  /** Milliseconds; null for as long as it takes. */
  limitMs: number | null
  scenarios: ScenarioName[]
  /** Whether each history is told line by line. */
  trace: boolean
}

/** What the command line says: options, a text that answers it, or what is wrong with it. */
export type CommandLine = { options: Options } | { text: string } | { mistake: string }

const names = Object.keys(scenarios) as ScenarioName[]

/** What `--help` prints. */
export const usage = `Usage: npm run simulate -- [options]

  --seeds N         how many histories (600; without end if --minutes is given)
  --from S          the first seed (a new one, which is printed)
  --minutes M       begins no history after so many minutes
  --scenario NAME   ${names.join(', ')} (each in turn)
  --trace           prints what happens, line by line
`

/** Parses the arguments. `newSeed` is taken when none is given. */
export function parseCommandLine(args: readonly string[], newSeed: () => number): CommandLine {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        seeds: { type: 'string' },
        from: { type: 'string' },
        minutes: { type: 'string' },
        scenario: { type: 'string' },
        trace: { type: 'boolean', default: false },
        help: { type: 'boolean' },
      },
    })
    if (values.help) return { text: usage }
    const { trace } = values
    const scenario = names.find((name) => name === values.scenario)
    if (values.scenario !== undefined && scenario === undefined) {
      return { mistake: `There is no scenario ${values.scenario}; there are ${names.join(', ')}.` }
    }
    const minutes = values.minutes === undefined ? null : Number(values.minutes)
    if (minutes !== null && !(minutes > 0)) return { mistake: '--minutes takes a number above 0.' }
    const most = minutes === null ? 600 : 1e9
    const seeds = wholeOf(values.seeds ?? String(most))
    const from = wholeOf(values.from ?? String(newSeed()))
    if (seeds === null || seeds === 0) return { mistake: '--seeds takes a whole number above 0.' }
    if (from === null) return { mistake: '--from takes a whole number up to 1,000,000,000.' }
    return {
      options: {
        seeds,
        from,
        limitMs: minutes === null ? null : minutes * 60_000,
        scenarios: scenario ? [scenario] : names,
        trace,
      },
    }
  } catch (error) {
    return { mistake: error instanceof Error ? error.message : String(error) }
  }
}

function wholeOf(text: string): number | null {
  const value = Number(text)
  return /^\d+$/.test(text) && value <= 1e9 ? value : null
}
