import { createAttackers } from './attackers.ts'
import { createBackers } from './backers.ts'
import { createBorrowers } from './borrowers.ts'
import { compareHonest, type HonestOutcomes, honestOutcomes } from './compareHonest.ts'
import { type Defect, databaseDefects, withDefects } from './defects.ts'
import { createInstance, domain, limits as usualLimits } from './instance.ts'
import type { Instance } from './instanceState.ts'
import { epoch } from './life.ts'
import { createOracle } from './oracle.ts'
import type { Action, History } from './plan.ts'
import { createProofRules } from './proofRules.ts'
import { createRandom } from './random.ts'
import { createSimNetwork, soundNetwork } from './simBus.ts'
import { createSimChain, type NodeFaults, soundNode } from './simChain.ts'
import { createSimDatabase } from './simDatabase.ts'
import { loadSimKeys, verifyAtOnce } from './simKeys.ts'
import { startSimMonitor } from './simMonitor.ts'
import { createSharedCounts } from './simQuotas.ts'
import { type SimWrite, soundStorage } from './simStore.ts'
import { createSimTransactions } from './simTransactions.ts'
import { createSimWitness } from './simWitness.ts'
import { createTimeline } from './timeline.ts'
import { createTrace } from './trace.ts'

/** A history's outcome. */
export type HistoryOutcome = {
  violations: readonly string[]
  hash: string
  counts: ReadonlyMap<string, number>
  /** The recorded lines, if requested. */
  lines: readonly string[]
  auctions: number
  /** The verified borrowers' results. */
  honest: HonestOutcomes
  /** Elapsed virtual time in milliseconds. */
  milliseconds: number
}

const blockEveryMs = 2_000
const checkEveryMs = 250
/** Milliseconds after the last fault by which everything must have ended. */
const settleMs = 120_000
/** Number of instances that must accept a request at the end. */
const mostTried = 7
/** Milliseconds to wait, without new blocks, for final status updates after all auctions have ended. */
const afterwardsMs = 14_000

/**
 * Runs a history from its first action until all its effects have ended. The outcome depends only on the history and
 * the code.
 */
export async function runHistory(
  history: History,
  { keepLines = false, defect }: { keepLines?: boolean; defect?: Defect } = {},
): Promise<HistoryOutcome> {
  const { seed } = history
  const has = (asked: Defect) => asked === defect
  const honestActions = history.actions.filter(({ do: kind }) => kind !== 'attack')
  const isAttacked = honestActions.length < history.actions.length
  const { honest: usual } = isAttacked
    ? await runHistory({ ...history, actions: honestActions }, defect === undefined ? {} : { defect })
    : { honest: null }
  const limits = { ...usualLimits, openAuctions: history.openAuctions }
  const timeline = createTimeline()
  const trace = createTrace(timeline.now, keepLines)
  const named = (part: string) => createRandom(seed, part)
  const chain = createSimChain(named('chain'), trace)
  const network = createSimNetwork({ random: named('network'), trace })
  const isShared = history.instances > 1
  const transactions = isShared ? createSimTransactions(timeline) : null
  const counts = isShared ? createSharedCounts(timeline, limits) : null
  const database = await createSimDatabase(transactions && (() => epoch + transactions.now()), (sound) =>
    withDefects(sound, has, databaseDefects),
  )
  const instances: Instance[] = []
  const oracle = createOracle({ timeline, trace, chain, instances })
  // The service makes auctions provable only if one process owns the database.
  const rules = isShared
    ? null
    : createProofRules({ database, domain, keys: await loadSimKeys(), trace, violation: oracle.violation })
  const witness = rules && createSimWitness({ timeline, trace, random: named('witness'), rules })
  const deps = {
    ...{ seed, timeline, trace, chain, network, database, transactions, counts, stall, oracle, has },
    ...{ limits, overloads: !history.calm, afterWrite, proofs: rules && witness && { rules, witness } },
  }
  for (let number = 0; number < history.instances; number += 1) {
    const onReady = (instance: Instance) => {
      backers.reconnect(instance)
      attackers.connect(instance)
    }
    instances.push(createInstance(number, { ...deps, onReady }))
  }
  const shared = { history, timeline, trace, chain, instances, oracle, random: named }
  const backers = createBackers({ ...shared, proofs: rules, has })
  const borrowers = createBorrowers({ ...shared, proofs: rules })
  const attackers = createAttackers({ ...shared, send: backers.send })

  let isMining = true
  const mine = () => {
    if (isMining) chain.mine(timeline.now())
    timeline.at(timeline.now() + blockEveryMs, mine)
  }
  timeline.at(0, mine)
  for (const instance of instances) timeline.at(0, instance.start)
  const [only] = instances
  const monitor = rules && only && startSimMonitor({ timeline, random: named('monitor'), instance: only, rules })

  const nothing = () => {}
  /** Marks an instance as faulty for some time. */
  const trouble = (
    instance: Instance | undefined,
    milliseconds: number,
    begin: (one: Instance) => void,
    finish: (one: Instance) => void = nothing,
  ) => {
    if (!instance) return
    instance.troubles += 1
    begin(instance)
    timeline.at(timeline.now() + milliseconds, () => {
      finish(instance)
      instance.troubles -= 1
      instance.troubledUntil = timeline.now()
    })
  }
  const set = (change: Partial<Instance>) => (one: Instance) => void Object.assign(one, change)

  /** Stalls that affect the next matching write. */
  const stalls: Extract<Action, { do: 'stall' }>[] = []
  function stall(instance: Instance, method: SimWrite): number {
    killAt('before', instance, method)
    killAt('within', instance, method)
    const index = stalls.findIndex(({ before }) => before === method)
    const [planned] = index < 0 ? [] : stalls.splice(index, 1)
    if (!planned) return 0
    trace.note(`stalled before ${method}`, String(instance.number))
    trouble(instance, planned.for, nothing)
    return planned.for
  }

  /** The step of the only instance's clock at its last start, in milliseconds. */
  let stepped = 0
  /** Kills that affect the next matching write. */
  const kills: Extract<Action, { do: 'kill' }>[] = []
  function killAt(moment: (typeof kills)[number]['when'], instance: Instance, method: SimWrite): void {
    const index = kills.findIndex(({ when, write }) => when === moment && write === method)
    const [planned] = index < 0 ? [] : kills.splice(index, 1)
    if (!planned) return
    const kill = () => {
      trace.note(`killed ${moment} ${method}`)
      crash(instance, planned.for)
    }
    if (moment === 'within') database.killWithin(planned.statements, kill)
    else kill()
  }
  function afterWrite(instance: Instance, method: SimWrite): void {
    killAt('after', instance, method)
  }

  /** Ends a process without warning, and starts the next one after some milliseconds. */
  function crash(instance: Instance | undefined, milliseconds: number): void {
    if (instance?.process) rules?.crashing()
    instance?.crash()
    if (has('lost fsync')) database.loseNewest()
    if (has('log restored from a backup')) {
      database.dropNewestEntry()
      database.rebuildLog()
    }
    if (instance) later(milliseconds, instance.start)
  }

  /** Cuts instances off from the database. */
  const cutOff = (numbers: readonly number[], milliseconds: number) => {
    const change = (by: number) => (one: Instance) => {
      one.cutOff += by
    }
    for (const number of numbers) trouble(instances[number], milliseconds, change(1), change(-1))
  }

  const later = (milliseconds: number, run: () => void) => void timeline.at(timeline.now() + milliseconds, run)
  const acts: { [Kind in Action['do']]: (action: Extract<Action, { do: Kind }>) => void } = {
    auction: borrowers.open,
    'borrower returns': borrowers.reconnectOrMove,
    ...backers.acts,
    attack: attackers.act,
    crash: (action) => crash(instances[action.instance], action.for),
    'crash and clock'({ instance: number, by, for: milliseconds }) {
      const instance = instances[number]
      crash(instance, milliseconds)
      if (instance) instance.wall.offset += by - stepped
      stepped = by
      oracle.clockSet()
    },
    kill: (action) => void kills.push(action),
    outage({ instance, of, for: milliseconds }) {
      if (of === 'process') crash(instances[instance], milliseconds)
      else cutOff([instance], milliseconds)
    },
    'witness leaves': (action) => witness?.stopFor(action.for),
    restart({ instance: number, for: milliseconds }) {
      const instance = instances[number]
      instance?.stopInOrder(() => later(milliseconds, instance.start))
    },
    'hold-up': (action) =>
      trouble(instances[action.instance], action.for, ({ process }) => process?.life.holdUp(action.for)),
    stall: (action) => void stalls.push(action),
    clock(action) {
      const turnBy = (by: number) => (one: Instance) => {
        one.wall.offset += by
        oracle.clockSet()
      }
      trouble(instances[action.instance], action.for, turnBy(action.by), turnBy(-action.by))
    },
    storage({ instance, faults, for: milliseconds }) {
      const faulty = { storage: { ...soundStorage, ...faults } }
      trouble(instances[instance], milliseconds, set(faulty), set({ storage: soundStorage }))
    },
    node({ instance, faults, for: milliseconds }) {
      trouble(instances[instance], milliseconds, set({ node: { ...soundNode, ...faults } }), set({ node: soundNode }))
    },
    network(action) {
      network.faults = action.faults
      later(action.for, () => {
        network.faults = soundNetwork
      })
    },
    partition({ side, from, for: milliseconds }) {
      if (from !== 'database') later(milliseconds, network.part(new Set(side)))
      if (from !== 'bus') cutOff(side, milliseconds)
    },
    database(action) {
      trace.note(`database ${action.how}`)
      if (action.how === 'failed over') transactions?.failOver()
      cutOff([...instances.keys()], action.for)
    },
    reorganisation(action) {
      chain.reorganise(action.depth, timeline.now())
      for (const number of action.without) {
        const follow = (branch: NodeFaults['branch']) => (one: Instance) => {
          one.node = { ...one.node, branch }
          trace.note(`node on the branch that is ${branch}`, String(number))
        }
        trouble(instances[number], action.for, follow('left'), follow('kept'))
      }
    },
    'chain stands still'(action) {
      isMining = false
      later(action.for, () => {
        isMining = true
      })
    },
  }
  const act = (action: Action) => {
    trace.note(action.do)
    acts[action.do](action as never)
  }
  for (const action of history.actions) timeline.at(action.at, () => act(action))

  // Actions that start before the end may take longer.
  const settlesAt = history.actions.reduce(
    (latest, action) => Math.max(latest, action.at + ('for' in action ? action.for : 0)),
    history.end,
  )
  timeline.at(settlesAt + 1, () => {
    trace.note('faults end')
    stalls.length = 0
    kills.length = 0
    for (const instance of instances) instance.start()
    // Every instance runs each auction, so only a sample of a crowd's instances is tried.
    const first = named('tried in the end').below(instances.length)
    for (let index = 0; index < Math.min(mostTried, instances.length); index += 1) {
      const instance = instances[(first + index * 11) % instances.length]
      if (instance) borrowers.tryInTheEnd(instance)
    }
  })
  const end = settlesAt + settleMs
  let overSince: number | null = null
  const check = () => {
    oracle.check()
    const isOver = timeline.now() > settlesAt && oracle.isOver() && borrowers.isOver()
    overSince = isOver ? (overSince ?? timeline.now()) : null
    if (isOver) isMining = false
    timeline.at(timeline.now() + checkEveryMs, check)
  }
  timeline.at(checkEveryMs, check)

  const { violations } = oracle
  const unhandled = (reason: unknown) => oracle.violation(`nobody handled: ${String(reason)}`)
  process.on('unhandledRejection', unhandled)
  const restoreCrypto = verifyAtOnce()
  try {
    while (violations.length === 0 && timeline.step(end)) {
      await turn()
      if (overSince !== null && timeline.now() - overSince > afterwardsMs) break
    }
    if (violations.length === 0) {
      borrowers.finish()
      oracle.finish(database)
    }
    if (violations.length === 0 && monitor) {
      const opened = [...oracle.auctions.keys()]
      await rules.finish({ opened, read: monitor.position(), log: only?.process?.service.proofs?.log })
    }
  } catch (error) {
    oracle.violation(`the simulation threw an error: ${error instanceof Error ? error.stack : String(error)}`)
  } finally {
    restoreCrypto()
    process.off('unhandledRejection', unhandled)
  }
  const honest = honestOutcomes(oracle, borrowers.refusals(), backers.isHonest)
  if (usual && violations.length === 0) for (const harm of compareHonest(usual, honest)) oracle.violation(harm)
  for (const instance of instances) instance.process?.life.end()
  return {
    violations,
    hash: trace.hash(),
    counts: trace.counts(),
    lines: trace.lines(),
    auctions: oracle.auctions.size - borrowers.tried(),
    honest,
    milliseconds: timeline.now(),
  }
}

/** Runs all pending microtasks and immediates. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
