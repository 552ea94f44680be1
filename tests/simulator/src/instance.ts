import { quoteEip712Domain, type ServiceConfig } from '@firmquote/core'
import { createInProcessPresence } from '../../../apps/server/src/adapters/inProcessPresence.ts'
import { createInProcessQuotas } from '../../../apps/server/src/adapters/inProcessQuotas.ts'
import { createService } from '../../../apps/server/src/app/createService.ts'
import type { ServiceLimits } from '../../../apps/server/src/app/serviceDeps.ts'
import { offsetSince } from '../../../apps/server/src/domain/steadyTime.ts'
import { type HasDefect, quotaDefects, storeDefects, withDefects, withServiceDefects } from './defects.ts'
import type { Instance, Process } from './instanceState.ts'
import { createLife, epoch } from './life.ts'
import type { Oracle } from './oracle.ts'
import { auctionDurationMs, degradedSeconds, minSecondsAfterClose, openRfqs, staleSeconds } from './plan.ts'
import type { ProofRules } from './proofRules.ts'
import { createRandom } from './random.ts'
import { isOutage } from './remote.ts'
import type { SimNetwork } from './simBus.ts'
import {
  chainId,
  createSimNode,
  debtAgeBlocks,
  interestRatePool,
  quoteMarket,
  reorgWindow,
  type SimChain,
  soundNode,
} from './simChain.ts'
import type { SimDatabase } from './simDatabase.ts'
import { logOrigin } from './simKeys.ts'
import { createSimPresence, createSimQuotas, type SharedCounts } from './simQuotas.ts'
import { createSimSignatures } from './simSignatures.ts'
import { createSimStore, type SimWrite, soundStorage } from './simStore.ts'
import type { SimTransactions } from './simTransactions.ts'
import type { SimWitness } from './simWitness.ts'
import type { Timeline } from './timeline.ts'
import type { Trace } from './trace.ts'

/** Dependencies shared by a world's instances. */
export type InstanceDeps = {
  seed: number
  timeline: Timeline
  trace: Trace
  chain: SimChain
  network: SimNetwork
  database: SimDatabase
  /** Called before an instance writes. Returns how long to suspend the process before the write, in milliseconds. */
  stall: (instance: Instance, method: SimWrite) => number
  /** Called after an instance has committed a write, before it learns so. */
  afterWrite: (instance: Instance, method: SimWrite) => void
  /** Runs transactions on the database; null unless several machines share the database. */
  transactions: SimTransactions | null
  /** Shared quotas and presence; null unless several machines share a database. */
  counts: SharedCounts | null
  limits: ServiceLimits
  /** Whether threads for signatures are sometimes overloaded. */
  overloads: boolean
  oracle: Oracle
  /** The rules of provable auctions, and the log's witness. Null if several machines share the database. */
  proofs: { rules: ProofRules; witness: SimWitness } | null
  has: HasDefect
  onReady: (instance: Instance) => void
}

/** Service limits, the same for every instance. */
export const limits: ServiceLimits = {
  ...{ bodyBytes: 16_384, rfqsPerMinute: 5, openRfqs, storedQuotesPerMaker: 4, socketsPerBacker: 3 },
  ...{ minQuoteLifetimeSeconds: 5, maxQuoteLifetimeSeconds: 86_400, minSecondsAfterClose },
  ...{ dustDivisor: 100_000_000, dustLimits: new Map(), openAuctions: 100, runningJudgements: 60 },
}

/** Signing domain of every quote. */
export const domain = { chainId, quoteMarket }

const config: ServiceConfig = {
  apiVersion: 'v1',
  chainId,
  contracts: { quoteMarket, interestRatePool, bundler3: quoteMarket, keeperBundler: quoteMarket },
  deployBlock: 1,
  eip712Domain: quoteEip712Domain(domain),
  auction: { durationMs: auctionDurationMs, quotesPerBacker: 1 },
  limits,
}

/** Time limit for a graceful shutdown, in milliseconds. */
const stopLimitMs = 20_000

/** Creates a stopped instance. */
export function createInstance(number: number, deps: InstanceDeps): Instance {
  const { seed, timeline, trace, chain, network, database, transactions, counts, oracle, has, onReady } = deps
  const { limits, overloads, stall, afterWrite, proofs } = deps
  let lives = 0

  const instance: Instance = {
    number,
    wall: { offset: 0, kept: 0 },
    storage: { ...soundStorage },
    node: { ...soundNode },
    cutOff: 0,
    troubles: 0,
    troubledUntil: 0,
    readySince: null,
    process: null,

    start() {
      if (instance.process) return
      lives += 1
      const id = number + lives * 1_000
      const named = (part: string) => createRandom(seed, `${part} of instance ${number}, life ${lives}`)
      const { wall } = instance
      const before = wall.kept
      const machineTime = epoch + timeline.now() + wall.offset - wall.kept
      const kept = has('time goes back') ? 0 : offsetSince(database.proofs.findLog()?.seenAt ?? 0, machineTime)
      wall.offset += kept - wall.kept
      wall.kept = kept
      if (kept !== before) oracle.clockSet()
      const life = createLife({ timeline, random: named('timers'), wall: instance.wall, has }, { id, instance: number })
      trace.note('start', String(number))
      const unexpected = (facts: Record<string, unknown>, message: string) => {
        // In an honest history, the stored log is sound, and the witness knows no more of it than the service.
        if (/damaged|knows a larger log/.test(message)) oracle.violation(`the service reports: ${message}`)
        const error = facts['err']
        if (error !== undefined && !isOutage(error))
          oracle.violation(`an unexpected error was logged: ${message}: ${String(error)}`)
      }
      const bytes = named('bytes')
      const store = createSimStore({
        database,
        life,
        timeline,
        random: named('database'),
        trace,
        shared: transactions,
        isCutOff: () => instance.cutOff > 0,
        faults: () => instance.storage,
        beforeWrite(method) {
          if (instance.process?.life !== life) return 0
          const milliseconds = stall(instance, method)
          if (milliseconds > 0) life.holdUp(milliseconds)
          return milliseconds
        },
        afterWrite(method) {
          if (instance.process?.life === life) afterWrite(instance, method)
        },
        onCommit: (commit) => oracle.committed(commit),
        onWritten(method, failed) {
          if (instance.process?.life !== life) return
          const { process } = instance
          process.unwritableSince = failed ? (process.unwritableSince ?? timeline.now()) : null
          if (method === 'probe' && !failed) process.lostAt = null
        },
      })
      const node = createSimNode({
        chain,
        life,
        random: named('node'),
        trace,
        faults: () => instance.node,
        has,
        onState: (hash, block) => oracle.stateGiven(number, hash, block),
      })
      const counting = counts && {
        counts,
        life,
        timeline,
        random: named('quotas'),
        fails: () => instance.cutOff > 0 || instance.storage.refuse === 1,
        has,
      }
      const service = createService({
        isShared: transactions !== null,
        quotas: withDefects(
          counting && !has('quota not shared') ? createSimQuotas(counting) : createInProcessQuotas(life.clock, limits),
          has,
          quotaDefects,
        ),
        presence: counting ? createSimPresence(counting) : createInProcessPresence(limits.socketsPerBacker),
        clock: life.clock,
        chain: node,
        signatures: createSimSignatures(
          life,
          { random: named('signatures'), overloads },
          (digest) => oracle.overloaded(number, digest),
          has,
        ),
        store: withDefects(store, has, storeDefects),
        ...(proofs &&
          store.proofs && {
            proofs: { store: store.proofs, keys: proofs.rules.keys, log: { id: 1, origin: logOrigin } },
          }),
        bus: network.connect(life, (error) => oracle.violation(`a message handler threw: ${String(error)}`)),
        random: (count) => bytes.bytes(count),
        domain,
        interestRatePool,
        limits,
        sync: {
          deployBlock: 1,
          reorgWindow,
          intervalMs: 1_000,
          headDegradedSeconds: degradedSeconds,
          headStaleSeconds: staleSeconds,
        },
        ...{ debtAgeBlocks, auctionDurationMs },
        log: { debug: () => {}, info: () => {}, warn: unexpected, error: unexpected },
        version: '0.0.0',
        config,
      })
      const process: Process = {
        life,
        service: withServiceDefects(service, has),
        onEnd: new Set(),
        onLost: new Set(),
        unwritableSince: null,
        lostAt: null,
        stops: false,
      }
      instance.process = process
      service.storage.onLost(() => {
        if (has('clients not sent elsewhere')) return
        trace.note('clients sent elsewhere', String(number))
        process.lostAt = timeline.now()
        for (const callback of [...process.onLost]) callback()
        service.hub.endFollowing()
      })
      const startProofs = async () => {
        if (!proofs || !store.proofs) return
        const { publicKey, signer } = proofs.rules.keys
        await store.proofs.startLog({ origin: logOrigin, publicKey, signer, at: life.clock.now() })
        await service.proofs?.log.start()
        await proofs.witness.join(process)
      }
      void service.controls
        .start()
        .then(startProofs)
        .then(service.hub.resume)
        .then(
          () => {
            if (instance.process !== process) return
            service.sync.start()
            instance.readySince = timeline.now()
            trace.note('ready', String(number))
            onReady(instance)
          },
          (error: unknown) => {
            // A program that fails to start exits, and a supervisor restarts it.
            if (instance.process !== process) return
            trace.note('start failed', `${number} ${String(error)}`)
            end(process)
            timeline.at(timeline.now() + 1_000, instance.start)
          },
        )
    },

    crash() {
      if (instance.process) end(instance.process)
    },

    stopInOrder(onEnded) {
      const { process } = instance
      if (!process) return onEnded()
      const { hub, sync, storage } = process.service
      process.stops = true
      let ended = false
      const stop = () => {
        if (ended) return
        ended = true
        if (instance.process !== process) return onEnded()
        instance.readySince = null
        const stopped = Promise.all([sync.stop(), process.service.proofs?.log.stop()])
        hub.stop()
        storage.stop()
        void stopped.then(() => {
          if (instance.process === process) end(process)
          onEnded()
        })
      }
      void hub.drain().then(() => {
        // The hub is stopped at the time limit. A stopped hub counts as drained, even if auctions are still open.
        if (ended || instance.process !== process) return
        trace.note('drained', String(number))
        oracle.drained(process.life.id)
        stop()
      })
      timeline.at(timeline.now() + stopLimitMs, stop)
    },
  }

  const end = (process: Process) => {
    oracle.ends()
    process.life.end()
    instance.process = null
    instance.readySince = null
    for (const callback of process.onEnd) callback()
  }
  return instance
}
