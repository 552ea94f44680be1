// All borrower actions are in one file, because they share requests and followed auctions.
import { type RFQRequest, type RFQStreamEvent, type RfqId, toRfqId } from '@firmquote/core'
import { hashTakerAuth } from '@firmquote/core/protocol'
import { type Address, getAddress } from 'viem'
import type { FollowedAuction, OpenRefusal, Outcome } from '../../../apps/server/src/app/service.ts'
import { OverloadedError, StorageUnavailableError } from '../../../apps/server/src/ports/errors.ts'
import { limits } from './instance.ts'
import type { Instance } from './instanceState.ts'
import { epoch } from './life.ts'
import type { KnownAuction, Oracle, StreamCursor } from './oracle.ts'
import { type Action, type BorrowerStep, longestHoldUpMs } from './plan.ts'
import type { ProofRules } from './proofRules.ts'
import type { Random } from './random.ts'
import { type Answer, createLine, createRemote } from './remote.ts'
import { chainId, pool, quoteMarket, type SimChain, seriesOf } from './simChain.ts'
import { signatureOf } from './simSignatures.ts'
import type { Timeline } from './timeline.ts'
import type { Trace } from './trace.ts'

/** A request to an instance, and the auction that the instance returned. */
type Slot = { askedAt: number; answered: boolean; rfqId: RfqId | null; opened: KnownAuction | null }
type OpenAction = Extract<Action, { do: 'auction' }>
type ReturnAction = Extract<Action, { do: 'borrower returns' }>
type Opened = Outcome<FollowedAuction, OpenRefusal>

/** Parts of the simulated world that borrowers and backers use. */
export type ActorDeps = {
  timeline: Timeline
  trace: Trace
  instances: readonly Instance[]
  oracle: Oracle
  random: (name: string) => Random
}

/**
 * Encodes the auction's number in its notional, since no other field identifies the planned auction to backers.
 */
export const notionalOf = (auction: number): bigint => 1_000_000n + 1_000n * BigInt(auction)
/** The planned auction's number, decoded from its notional. */
export const auctionOf = (notional: bigint): number => Number((notional - 1_000_000n) / 1_000n)

/** A borrower's network address. */
export const addressOf = (borrower: number) => `10.0.0.${borrower}`
/** The account with which a borrower proves its debt. */
export const takerOf = (borrower: number): Address => getAddress(`0x${(borrower + 0x51).toString(16).repeat(20)}`)
/** Each verified borrower's debt, in raw units. It covers all the RFQs of a history. */
const debt = 50_000_000n
/** The service's public origin, which proofs of taker name. */
export const audience = 'https://firmquote.example'

/** Signs a proof for requests in a taker's name. */
export function simProof(taker: Address, signer: Address): NonNullable<RFQRequest['takerProof']> {
  const timestamp = epoch / 1_000
  const digest = hashTakerAuth({ taker, audience, chainId, quoteMarket, timestamp })
  return { timestamp, signature: signatureOf(digest, signer) }
}

const maxAttempts = 12
/** Milliseconds until an unreleased slot expires, if quotas are shared. */
const slotKeptMs = 36_000 + longestHoldUpMs
/** Maximum time between a request and the check of its quotas, in milliseconds. */
const countedWithinMs = 5_000 + longestHoldUpMs
/** Maximum delay before an instance notices a close, in milliseconds. Until it notices, the auction counts as open. */
const noticeMs = 3_000

/** Creates the borrowers. The borrowers follow the plan and react to the answers they receive. */
export function createBorrowers({
  timeline,
  trace,
  chain,
  instances,
  oracle,
  random: named,
  proofs,
}: ActorDeps & { chain: SimChain; proofs: ProofRules | null }) {
  const areShared = instances.length > 1
  /**
   * Requests that may count against an address's limits. Requests are grouped by quota scope: all instances, or one
   * life.
   */
  const counted = new Map<string, Slot[]>()
  const keysAnswered = new Set<string>()
  /** The refusals of verified requests, by auction. */
  const refusals = new Map<number, string[]>()
  for (const borrower of [0, 1, 2]) chain.owe(takerOf(borrower), debt)
  const promised = new Map<RfqId, { readers: Set<number>; followed: boolean }>()

  /** Whether a request may occupy one of its address's slots for open auctions. */
  const isHeld = ({ askedAt, answered, rfqId }: Slot) => {
    if (areShared) return timeline.now() - askedAt < slotKeptMs
    if (!answered) return true
    const closed = rfqId === null ? { at: 0 } : (oracle.auctionOf(rfqId)?.closed ?? null)
    return !closed || timeline.now() - closed.at < noticeMs
  }

  /** Checks that an address did not exceed its limits across all instances. */
  const checkLimits = (all: readonly Slot[]) => {
    const given = [...new Set(all.flatMap(({ opened }) => opened ?? []))]
    const open = given.filter(({ closed, deadline }) => !closed && timeline.now() < deadline)
    if (open.length > limits.openRfqs) oracle.violation(`an address has ${open.length} auctions open`)
    const lately = given.filter(({ writtenAt }) => writtenAt > timeline.now() - 60_000 + countedWithinMs)
    if (lately.length > limits.rfqsPerMinute)
      oracle.violation(`an address has opened ${lately.length} auctions in a minute`)
  }

  const later = (milliseconds: number, run: () => void) => void timeline.at(timeline.now() + milliseconds, run)

  const open = (action: OpenAction) => {
    const { auction, borrower, keyed, streams, short, maxVrt, verified } = action
    const random = named(`borrower of auction ${auction}`)
    const remote = createRemote({ timeline, instances, oracle }, random)
    const address = addressOf(borrower)
    const taker = takerOf(borrower)
    const key = keyed ? `key-${auction}-${Buffer.from(random.bytes(16)).toString('hex')}` : null
    const series = seriesOf(short ? 'short' : 'long')
    const request: RFQRequest = {
      poolId: pool.poolId,
      ...(random.chance(0.5) ? { seriesKey: series.seriesKey } : { expiry: series.expiry }),
      notional: notionalOf(auction),
      ...(maxVrt ? { maxVrtAmount: 4_500n } : {}),
      ...(random.chance(0.2) ? { taker: '0x5000000000000000000000000000000000000005' as const } : {}),
      ...(verified && { taker, takerProof: simProof(taker, taker) }),
    }

    /** Sends a request. If an instance promises an auction, the promise is recorded then. */
    const ask = (
      instance: Instance,
      given: { request: RFQRequest; key: string | null; address: string },
      done: (answer: Answer<Opened>) => void,
    ) => {
      remote.call(
        instance,
        ({ service, life }) => {
          // A verified request counts against its taker's limits instead of its network's.
          const client = given.request.takerProof ? `${given.request.taker}` : given.address
          const place = areShared ? client : `${life.id} ${client}`
          // A request occupies no slot if its key already has an auction.
          const own: Slot = { askedAt: timeline.now(), answered: false, rfqId: null, opened: null }
          const all = counted.get(place) ?? []
          counted.set(place, all)
          const isReplay = given.key !== null && keysAnswered.has(given.key)
          if (!isReplay) all.push(own)
          trace.note('open', `${instance.number} ${auction}`)
          return service.hub
            .open(given.request, { address: given.address, audience, ...(given.key !== null && { key: given.key }) })
            .then((outcome) => {
              const code = outcome.ok ? null : outcome.rejection.code
              if (verified && code !== null && given.request === request)
                refusals.set(auction, [...(refusals.get(auction) ?? []), code])
              own.answered = true
              own.rfqId = outcome.ok ? outcome.value.rfq.rfqId : null
              const known = own.rfqId === null ? undefined : oracle.auctionOf(own.rfqId)
              // A retry shares the first request's slot.
              if (known?.openedByLife === life.id && known.writtenAt >= own.askedAt) own.opened = known
              checkLimits(all)
              const [isFull, isFast] = [code === 'TOO_MANY_OPEN', code === 'RATE_LIMITED']
              const held = all.filter((one) => one === own || isHeld(one))
              oracle.report('a request', {
                [`that had already been answered was rejected with ${code}`]: isReplay && (isFull || isFast),
                'was rejected below the limit on open auctions': isFull && held.length <= limits.openRfqs,
                'was rejected below the limit on auctions per minute': isFast && all.length <= limits.rfqsPerMinute,
              })
              return outcome
            })
        },
        done,
        (answer) => {
          if ('lost' in answer) return
          if ('error' in answer) return trace.note('open threw', String(answer.error))
          const { value } = answer
          const rfqId = value.ok ? value.value.rfq.rfqId : null
          const code = value.ok ? null : value.rejection.code
          oracle.openAnswered({ ...given, instance: instance.number, rfqId, code })
          if (rfqId === null) return
          if (given.key !== null) keysAnswered.add(given.key)
          oracle.started(rfqId)
          if (!promised.has(rfqId)) promised.set(rfqId, { readers: new Set(), followed: true })
        },
      )
    }

    const attempt = (number: number, instance: Instance) => {
      ask(instance, { request, key, address }, (answer) => {
        if ('value' in answer && answer.value.ok) return follow(answer.value.value, instance)
        const code = 'value' in answer && !answer.value.ok ? answer.value.rejection.code : null
        const isFinal = code !== null && !['OVERLOADED', 'CHAIN_UNAVAILABLE', 'STORAGE_UNAVAILABLE'].includes(code)
        if (isFinal || number >= maxAttempts) {
          trace.note('borrower gives up', `${auction} ${code}`)
          return
        }
        later(random.between(100, 1_500), () => attempt(number + 1, remote.ready() ?? instance))
      })
    }

    const bytes = () => Buffer.from(random.bytes(16)).toString('hex')
    const stepOf: Record<BorrowerStep['do'], (instance: Instance, rfqId: RfqId | null) => void> = {
      repeats(instance) {
        if (key === null) return
        ask(instance, { request, key, address }, (answer) => {
          if (!('value' in answer) || !answer.value.ok) return
          const { value } = answer.value
          awaitResult(value.rfq.rfqId, value, instance, () => {})
        })
      },
      'repeats with another body'(instance) {
        const other = random.pick([
          { ...request, notional: request.notional + 1n },
          { ...request, maxVrtAmount: 4_400n },
          { ...request, taker: '0x6000000000000000000000000000000000000006' as const },
        ])
        // This second request may claim the key before the first request is answered.
        if (key !== null && keysAnswered.has(key)) ask(instance, { request: other, key, address: '10.9.9.8' }, () => {})
      },
      // Drawn here, but carried out by the stream.
      'loses the line'() {},
      // Follows the auction from its first event, as the web app does after a reload.
      'follows anew'(instance, rfqId) {
        if (rfqId !== null) resume(rfqId, instance, (followed) => stream(rfqId, followed, instance, () => {}))
      },
      looks(instance, rfqId) {
        if (rfqId !== null) read(instance, rfqId)
      },
      'guesses an id'(instance) {
        const known = [...oracle.auctions.keys()]
        const id = toRfqId(random.chance(0.5) && known.length > 0 ? random.pick(known) : bytes())
        remote.call(
          instance,
          ({ service }) => Promise.all([service.hub.find(id), service.hub.follow(id)]),
          () => {},
          (answer) => {
            if ('value' in answer && answer.value.some((found) => found !== null))
              oracle.violation('a guessed id returned an auction')
          },
        )
      },
      'asks for what no series takes'(instance) {
        const { cap } = series
        const size = random.pick([
          { notional: cap / BigInt(limits.dustDivisor) - 1n },
          { notional: 2n * cap, minNotional: cap + 1n },
        ])
        ask(instance, { request: { ...request, ...size }, key: null, address: '10.9.9.7' }, (answer) => {
          if (!('value' in answer)) return
          const { value } = answer
          if (value.ok) oracle.violation('a request that matches no series was accepted')
          else if (value.rejection.code === ('minNotional' in size ? 'NOTIONAL_TOO_SMALL' : 'CAPACITY_EXCEEDED'))
            oracle.violation('a request that matches no series was rejected for another reason')
        })
      },
      'guesses a key'(instance) {
        // A stranger has no proof, and must not use up a slot of this taker.
        if (verified) return
        ask(instance, { request, key: `guess-${bytes()}`, address: '10.9.9.9' }, (answer) => {
          if ('value' in answer && answer.value.ok && answer.value.value.rfq.rfqId === opened)
            oracle.violation("a guessed key returned another borrower's auction")
        })
      },
    }

    let opened: RfqId | null = null
    const follow = (followed: FollowedAuction, instance: Instance) => {
      const { rfqId } = followed.rfq
      opened = rfqId
      const promise = promised.get(rfqId)
      if (promise) promise.followed = false
      const finished = () => {
        if (promise) promise.followed = true
      }
      if (streams) stream(rfqId, followed, instance, finished)
      else awaitResult(rfqId, followed, instance, finished)
    }

    const awaitResult = (rfqId: RfqId, followed: FollowedAuction, instance: Instance, finished: () => void) => {
      const poll = () => {
        const next = remote.ready()
        if (!next) return later(500, poll)
        read(next, rfqId, (isClosed) => (isClosed ? finished() : later(1_000, poll)))
      }
      remote.call(
        instance,
        () => followed.result(),
        (answer) => ('value' in answer ? finished() : poll()),
        (answer) => {
          if ('value' in answer) oracle.result(rfqId, answer.value, 'awaited')
          else if ('error' in answer && answer.error instanceof OverloadedError && isServing(instance)) {
            oracle.violation('a client waiting for a result was redirected although the instance was healthy')
          }
        },
      )
    }

    /**
     * The opener can run an auction and stream its events without the database. After the auction's end, the database
     * rows determine the outcome.
     */
    const checkRunning = (rfqId: RfqId, { process }: Instance, answer: Answer<unknown>) => {
      const known = oracle.auctionOf(rfqId)
      const isOpen = known?.closed === null && timeline.now() < known.deadline
      const runs = isOpen && known.openedByLife === process?.life.id && !process.stops
      if (runs && 'error' in answer && answer.error instanceof StorageUnavailableError)
        oracle.violation('an instance could not stream its own auction because of the database')
    }

    /** Follows an auction promised to this borrower. */
    const resume = (
      rfqId: RfqId,
      instance: Instance,
      done: (followed: FollowedAuction) => void,
      failed: () => void = () => {},
    ) => {
      remote.call(
        instance,
        ({ service }) => service.hub.follow(rfqId),
        (answer) => ('value' in answer && answer.value ? done(answer.value) : failed()),
        (answer) => {
          checkRunning(rfqId, instance, answer)
          if ('value' in answer && answer.value === null) oracle.violation('a stream could not be resumed')
        },
      )
    }

    const drops = action.steps.filter((step) => step.do === 'loses the line').map(({ after }) => timeline.now() + after)

    const stream = (rfqId: RfqId, first: FollowedAuction, on: Instance, finished: () => void) => {
      let last = -1
      const connect = (followed: FollowedAuction, instance: Instance) => {
        const { process } = instance
        if (!process) return reconnect()
        const { number } = instance
        const place: StreamCursor = { rfqId, next: last + 1, done: false, instance: number, since: timeline.now() }
        let isOpen = true
        const forget = oracle.followed(place)
        const travel = createLine(timeline, random)
        const leave = () => {
          if (!isOpen) return
          isOpen = false
          forget()
          process.onEnd.delete(leave)
          unlisten()
          if (!place.done) reconnect()
        }
        process.onEnd.add(leave)
        let unlisten = () => {}
        const isDone = { received: false }
        unlisten = followed.listen(
          {
            event: (event: RFQStreamEvent) => {
              if (!isOpen || !process.life.isAlive()) return
              oracle.streamed(place, event)
              if (proofs) void process.service.hub.receipts?.withReceipt(event).then(proofs.reported)
              trace.note(`event ${event.type}`, event.id)
              if (event.type === 'error') return
              const { next } = place
              travel(() => {
                if (!isOpen && !place.done) return
                last = Math.max(last, next - 1)
                if (event.type !== 'done' || isDone.received) return
                isDone.received = true
                finished()
              })
            },
            end: () => {
              if (!isOpen) return
              forget()
              trace.note('stream ended', String(place.next))
              travel(() => {
                if (!place.done) leave()
                else {
                  isOpen = false
                  process.onEnd.delete(leave)
                }
              })
            },
          },
          ...(last < 0 ? [] : [last]),
        )
        for (const at of drops) {
          if (at <= timeline.now()) continue
          timeline.at(at, () => {
            if (isOpen && !place.done) trace.note('line lost', String(auction))
            if (!place.done) leave()
          })
        }
      }
      const reconnect = () =>
        later(random.between(20, 800), () => {
          const instance = remote.ready()
          if (!instance) return reconnect()
          trace.note('stream resumes', `${instance.number} ${last}`)
          resume(rfqId, instance, (followed) => connect(followed, instance), reconnect)
        })
      connect(first, on)
    }

    /** Reads and checks the result. */
    const read = (instance: Instance, rfqId: RfqId, done: (isClosed: boolean) => void = () => {}) => {
      remote.call(
        instance,
        ({ service }) => service.hub.find(rfqId),
        (answer) => done('value' in answer && answer.value?.status === 'closed'),
        (answer) => {
          checkRunning(rfqId, instance, answer)
          if ('value' in answer) oracle.result(rfqId, answer.value, `instance ${instance.number}`)
        },
      )
    }

    const first = instances[action.instance]
    if (first) attempt(1, first)
    for (const { after, do: what, instance: number } of action.steps) {
      if (what === 'loses the line') continue
      later(after, () => {
        const instance = instances[number]
        trace.note(`borrower ${what}`, String(auction))
        if (instance) stepOf[what](instance, opened)
      })
    }
  }

  let returning = 0
  const reconnectOrMove = (action: ReturnAction) => {
    const { borrower, instances: chosen } = action
    const all = counted.get(addressOf(borrower)) ?? []
    const lately = all.filter(({ askedAt }) => timeline.now() - askedAt < 60_000 + countedWithinMs)
    const mayAsk = lately.length + chosen.length <= limits.rfqsPerMinute && !all.some(isHeld)
    if (!mayAsk) return later(1_000, () => reconnectOrMove(action))
    returning -= 1
    trace.note('borrower is back', String(borrower))
    for (const [index, instance] of chosen.entries()) {
      open({
        ...{ at: timeline.now(), do: 'auction' as const, auction: 800 + borrower * 10 + index, borrower, instance },
        ...{ keyed: false, streams: false, short: false, maxVrt: false, verified: false, steps: [] },
      })
    }
  }

  let [trying, triedOnes] = [0, 0]
  /** At the end, every result is read from every instance. */
  const readers = named('readers')
  const remote = createRemote({ timeline, instances, oracle }, readers)
  const readAll = () => {
    let isDone = true
    for (const [rfqId, { readers: done, followed }] of promised) {
      if (!followed) isDone = false
      for (const instance of instances) {
        if (done.has(instance.number)) continue
        isDone = false
        remote.call(
          instance,
          ({ service }) => service.hub.find(rfqId),
          () => {},
          (answer) => {
            if (!('value' in answer)) return
            oracle.result(rfqId, answer.value, `instance ${instance.number}, at the end`)
            if (answer.value?.status === 'closed') done.add(instance.number)
          },
        )
      }
    }
    return isDone
  }

  return {
    open,
    /**
     * Opens the maximum number of auctions for an address, once none of its earlier requests count against its limits.
     */
    reconnectOrMove(action: ReturnAction) {
      // Without shared quotas, the count of open auctions restarts at zero in each life.
      if (!areShared) return
      returning += 1
      reconnectOrMove(action)
    },
    /** Opens one more auction. All faults are over, so the request must soon succeed. */
    tryInTheEnd(instance: Instance) {
      trying += 1
      let attempts = 0
      const attempt = () => {
        attempts += 1
        // Rejected attempts count against the limit, so each attempt uses a new address.
        const address = `10.1.${attempts}.${instance.number}`
        remote.call(
          instance,
          ({ service }) => service.hub.open(endRequest, { address }),
          (answer) => {
            if ('value' in answer && answer.value.ok) trying -= 1
            else {
              trace.note('tried in vain', String(instance.number))
              later(1_000, attempt)
            }
          },
          (answer) => {
            if (!('value' in answer) || !answer.value.ok) return
            triedOnes += 1
            oracle.started(answer.value.value.rfq.rfqId)
          },
        )
      }
      attempt()
    },
    refusals: (): ReadonlyMap<number, readonly string[]> => refusals,
    /** Number of auctions that borrowers opened at the end of the history. */
    tried: () => triedOnes,
    /** Whether every borrower has received its promised auctions and their results. */
    isOver: () => trying === 0 && returning === 0 && oracle.isOver() && readAll(),
    finish() {
      if (trying > 0) oracle.violation('an instance still accepts no requests at the end')
      for (const [rfqId, { readers: done, followed }] of promised) {
        if (!followed) oracle.violation(`the borrower of ${rfqId.slice(0, 8)} was never notified of its end`)
        if (done.size < instances.length)
          oracle.violation(`the result of ${rfqId.slice(0, 8)} could not be read at the end`)
      }
    },
  }
}

const endRequest: RFQRequest = {
  poolId: pool.poolId,
  seriesKey: seriesOf('long').seriesKey,
  notional: notionalOf(900),
}

/** Whether an instance is ready and not redirecting its clients. */
function isServing({ process }: Instance): boolean {
  return process !== null && !process.stops && process.lostAt === null
}
