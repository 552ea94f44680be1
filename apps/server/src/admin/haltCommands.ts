import type { AdminHalt, AdminHalted, AdminPools } from '../app/control/adminHalts.ts'
import { type Command, command, type Option } from './command.ts'
import { instant } from './format.ts'
import { poolId, seriesKey, text } from './values.ts'

const why: Option = { flag: 'why', key: 'why', value: text(500), about: 'reason, for the audit' }
const requiredWhy: Option = { ...why, isRequired: true }
const message: Option = { flag: 'message', key: 'message', value: text(280), about: 'message to borrowers' }
const pool = { key: 'poolId', value: poolId, about: 'the pool' }
const series = { key: 'seriesKey', value: seriesKey, about: 'the series' }

/** Creates a command that halts or resumes a target. */
function change(given: Pick<Command, 'words' | 'about' | 'arguments' | 'options'>) {
  return command<AdminHalted>({ ...given, changes: true, print: printChange })
}

/** `pools`, `series` and `rfqs`. */
export const haltCommands = [
  command<AdminPools>({
    words: 'pools list',
    about: 'list the pools and their active series, and what is halted',
    print({ rfqs, pools }) {
      const lines = pools.flatMap(({ poolId, halted, series }) => [
        `pool ${poolId}${suffix(halted)}`,
        ...series.map(
          ({ seriesKey, expiry, halted }) =>
            `  series ${seriesKey}, expires ${instant(expiry * 1_000)}${suffix(halted)}`,
        ),
      ])
      if (lines.length === 0) lines.push('There is no pool.')
      return [...(rfqs ? [`all new RFQs${suffix(rfqs)}`] : []), ...lines].join('\n')
    },
  }),
  change({
    words: 'pools halt',
    about: 'refuse new RFQs and new quotes of a pool, and hide its published quotes',
    arguments: [pool],
    options: [requiredWhy, message],
  }),
  change({ words: 'pools resume', about: 'end the halt of a pool', arguments: [pool], options: [why] }),
  change({
    words: 'series halt',
    about: 'refuse new RFQs and new quotes of a series, and hide its published quotes',
    arguments: [series],
    options: [requiredWhy, message],
  }),
  change({ words: 'series resume', about: 'end the halt of a series', arguments: [series], options: [why] }),
  change({
    words: 'rfqs halt',
    about: 'refuse all new RFQs',
    options: [{ ...message, isRequired: true }, why],
  }),
  change({ words: 'rfqs resume', about: 'accept RFQs again', options: [why] }),
]

function printChange({ halted, ...target }: AdminHalted): string {
  const what =
    target.scope === 'rfqs'
      ? 'all new RFQs'
      : target.scope === 'pool'
        ? `pool ${target.poolId}`
        : `series ${target.seriesKey}`
  return halted ? `${what}${suffix(halted)}` : `${what}: resumed`
}

function suffix(halt: AdminHalt | null): string {
  if (!halt) return ''
  const texts = [halt.message !== null && `message "${halt.message}"`, halt.why !== null && `why "${halt.why}"`]
  return [`: halted since ${instant(halt.since)}`, ...texts.filter((one) => one !== false)].join(', ')
}
