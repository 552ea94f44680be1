import { describe, expect, test } from '@jest/globals'
import type { Defect } from './defects.ts'
import { drawHistory, type ScenarioName, scenarios } from './plan.ts'
import { runHistory } from './world.ts'

/**
 * For each defect, the history that must expose it and the message that the oracle must report. Changing how histories
 * are drawn may require different seeds.
 */
const found: Record<Defect, [scenario: ScenarioName, seed: number, says: RegExp]> = {
  'late accept': ['many', 1, /took a quote after its end|new row after its close/],
  'early close': ['many', 5, /has closed before it ends/],
  'double close': ['default', 1, /was closed twice/],
  'close drops a quote': ['partitions', 3, /the close of auction \w+ returned \d+ of \d+ rows/],
  'interruption not recorded': ['crashes', 5, /was closed after a stop without being marked/],
  'reused sequence number': ['default', 1, /has row 0 after 0/],
  'two quotes of a maker': ['partitions', 9, /has two quotes of/],
  'arrivals lost': ['default', 1, /is ranked wrongly/],
  'key not unique': ['chain', 1, /a key has two auctions/],
  'key not found': ['many', 1, /a request that had already been answered was rejected/],
  'lost fsync': ['crashes', 1, /has row \d+ after/],
  'acknowledged before the commit': ['default', 1, /acknowledged but is not in the rows|does not follow from its rows/],
  'unknown outcome reported as failure': ['storage', 32, /no backer submitted|is in the rows/],
  'auction not resumed': ['crashes', 11, /rejected as too late while the auction was open|was not closed in time/],
  'rows without a hint not read': ['partitions', 4, /event \d+ of \w+ was not sent in time/],
  'open auction observed': ['default', 2, /an observation of \w+ was shown before its close/],
  'cursor without compare-and-set': ['many', 3, /the cursor was moved from a block/],
  'lease held by two': ['default', 1, /the lease was granted while another instance held it/],
  'lease never ends': ['default', 1, /the lease was refused while it was free/],
  'status out of order': ['default', 5, /status \d+ of \w+ was sent before/],
  'status number reused': ['chain', 2, /last received undefined|have a gap|was sent twice with different content/],
  'reversal not sent': ['chain', 13, /is active at the end, but its maker last received/],
  'final too early': ['chain', 9, /is sent as final/],
  'quota not shared': ['many', 1, /an address has \d+ auctions open/],
  'slot not released': ['storage', 11, /rejected below the limit on open auctions/],
  'backers counted twice': ['chain', 1, /backers were counted/],
  'old state taken as new': ['default', 1, /a state older than the synced block/],
  'every quote executable': ['default', 1, /which block \d+ rejects/],
  'bloom filter empty': ['chain', 13, /at the end, but the chain says/],
  'forged signature accepted': ['chain', 1, /which block \d+ rejects: SIGNATURE/],
  'overload reported as chain failure': ['hostile', 1, /as a chain failure, but signature verification was overloaded/],
  'monotonic clock jumps': ['default', 14, /was not closed in time|was closed early/],
  'promises forgotten': ['hostile', 3, /has more outstanding quotes than funds/],
  'maker not compared': ['chain', 1, /acknowledged but is not in the rows|no backer submitted/],
  'event lost': ['default', 1, /continued with|was not sent in time/],
  'body of a key not compared': ['storage', 2, /than requested|another body with the same key/],
  'drained at once': ['default', 1, /was left open by a graceful shutdown/],
  'best before the close': ['default', 1, /has a best choice before its close/],
  'clients not sent elsewhere': ['many', 1, /has not redirected its clients/],
  'stale chain not reported': ['default', 1, /reports ok for a block/],
  'no slots reserved for verified takers': ['attacker', 1, /the verified auction 4 was refused: OVERLOADED/],
  'verified RFQs counted by network': ['attacker', 1, /rejected below the limit on open auctions/],
  'one open RFQ too many': ['attacker', 1, /an attacker has 4 open auctions/],
  'RFQs per minute not limited': ['attacker', 1, /an attacker has opened 6 auctions in a minute/],
  'debt counted twice': ['attacker', 1, /an attacker has used a debt twice/],
  'proofs not limited': ['attacker', 4, /26 proofs were checked for a network in a minute/],
  'abandoned auctions not limited': ['attacker', 2, /an attacker has used a debt twice/],
  'one published quote too many': ['attacker', 1, /a maker has published more quotes than its limit/],
  'a name is a proof': ['attacker', 15, /has 4 open auctions/],
  'older debts not read': ['attacker', 1, /is verified as|the attack "moved debt" was answered with verified/],
  'log restored from a backup': ['proofs', 1, /a witness knows a larger log/],
  'checkpoints do not wait': ['proofs', 12, /a witness signed at \d+ without the close of/],
  'receipt with another leaf': ['proofs', 1, /the transcript does not have the promised leaf of/],
  'time goes back': ['proofs', 5, /the monitor raised BACKDATED/],
  'event receipt with another secret': ['proofs', 1, /the log lacks the entry/],
  'close logged twice': ['proofs', 1, /the monitor raised RULE/],
  'close not logged': ['proofs', 1, /has 1 openings and 0 closes in the log/],
  'any proof accepted': ['attacker', 1, /the attack "proof of another taker" was answered with/],
}

const names = Object.keys(scenarios) as ScenarioName[]

describe('the oracle', () => {
  test.each(names)('default: reports no violation in %s without a defect', async (name) => {
    const seeds = Object.values(found).flatMap(([scenario, seed]) => (scenario === name ? [seed] : []))
    for (const seed of new Set([1, ...seeds])) {
      const { violations, auctions } = await runHistory(drawHistory(seed, name))
      expect({ seed, violations }).toEqual({ seed, violations: [] })
      expect(auctions).toBeGreaterThan(0)
    }
  })

  test.each(Object.keys(found) as Defect[])('behavior: finds the defect "%s"', async (defect) => {
    const [name, seed, says] = found[defect]
    const { violations } = await runHistory(drawHistory(seed, name), { defect })
    expect(violations.join()).toMatch(says)
  })
})
