// All backer actions are in one file, because they share sessions, quotes and answers.
import { type PublicRfqId, type SignedQuote, toPublicRfqId } from '@firmquote/core'
import { decodeOrThrow, serverMessageShape } from '@firmquote/core/wire'
import { type Address, getAddress, type Hex, zeroAddress } from 'viem'
import { affordableTo, type OutstandingQuote } from '../../../apps/daemon/src/domain/exposure.ts'
import type { SubmissionVerdict } from '../../../apps/server/src/app/service.ts'
import { type ActorDeps, auctionOf } from './borrowers.ts'
import type { HasDefect } from './defects.ts'
import { healthySince, type Instance, type Process } from './instanceState.ts'
import { epoch } from './life.ts'
import type { Oracle, Submission } from './oracle.ts'
import type { Action, History, QuoteKind } from './plan.ts'
import type { ProofRules } from './proofRules.ts'
import type { Random } from './random.ts'
import { createLine, createRemote } from './remote.ts'
import { pool, type SimChain, seriesOf } from './simChain.ts'
import { simDigest, simSign } from './simSignatures.ts'
import { createStatusReader, type StatusReader } from './statusReader.ts'

type ActionOf<Kind> = Extract<Action, { do: Kind }>
type QuoteAction = ActionOf<'quote'>

/** An RFQ as a backer receives it. */
type ReceivedRfq = {
  rfqId: string
  seriesKey: Hex
  notional: bigint
  minNotional?: bigint
  minDeadline?: bigint
  taker?: Address
  takerVerified?: boolean
}

/** The first three backers track their outstanding quotes, as a daemon does. The rest do not. */
const careful = 3
/** Percentages of a careful backer's funds that RFQs may reserve: those with attackers, and otherwise. */
const shares = { calm: { unverified: 20, taker: 25 }, all: { unverified: 100, taker: 100 } }
const riches = { balance: 100_000_000n, allowance: 90_000_000n }
/** Funds for quoting in only a few auctions at a time. */
const modest = { balance: 4_000_000n, allowance: 3_500_000n }
/** Funds for all the RFQs that attackers cannot prevent. */
const ample = { balance: 40_000_000n, allowance: 35_000_000n }
/** How careful backers answer attackers' RFQs. */
const standing = { kind: 'once', price: 5, after: 30, retries: false } as const
/** Accounts that sign on behalf of other makers. */
const strangers = { forger: getAddress(`0x${'80'.repeat(20)}`), publisher: getAddress(`0x${'90'.repeat(20)}`) }
/** How long a backer retries an unanswered quote, in milliseconds. */
const retryForMs = 12_000
const noAnswerMs = 3_000
/** Delay before a missing receipt is requested, in milliseconds, doubled for each further request. */
const askMs = 1_000
const maxAsks = 3
/** Milliseconds that a receipt travels. */
const receiptMs = 10

type Connection = { instance: Instance; leave: () => void; isOpen: boolean }

type Backer = {
  number: number
  address: Address
  random: Random
  remote: ReturnType<typeof createRemote>
  connections: (Connection | null)[]
  away: boolean
  heard: Set<string>
  plans: Map<number, QuoteAction[]>
  /** Hashes of the quotes whose receipts have arrived. */
  receipts: Set<Hex>
  /** The backer's outstanding quotes in memory. `ledger` is the copy of these quotes on disk. */
  outstanding: OutstandingQuote[]
  ledger: OutstandingQuote[]
  statuses: StatusReader
}

/** The sender of a quote: a backer, or an attacker that ignores its receipts. */
type Sender = Pick<Backer, 'address' | 'remote'> & Partial<Pick<Backer, 'receipts'>>

/** Creates the backers. The backers respond to the auctions they receive, according to the plan. */
export function createBackers({
  history,
  timeline,
  trace,
  chain,
  instances,
  oracle,
  random: named,
  proofs,
  has,
}: ActorDeps & { history: History; chain: SimChain; proofs: ProofRules | null; has: HasDefect }) {
  const later = (milliseconds: number, run: () => void) => void timeline.at(timeline.now() + milliseconds, run)
  let submissions = 0
  let salts = 0
  const quotesOf = new Map<Address, SignedQuote[]>()

  const backers = history.homes.map((_, number): Backer => {
    const random = named(`backer ${number}`)
    const address = getAddress(`0x${(number + 0xb0).toString(16).padStart(2, '0').repeat(20)}`)
    return {
      number,
      address,
      random,
      remote: createRemote({ timeline, instances, oracle }, random),
      connections: [null, null],
      away: false,
      heard: new Set(),
      plans: new Map(),
      receipts: new Set(),
      outstanding: [],
      ledger: [],
      statuses: createStatusReader({ timeline, trace, oracle }, address, named(`statuses of backer ${number}`)),
    }
  })
  for (const backer of backers) {
    const funds = backer.number < careful ? (history.calm ? ample : modest) : riches
    chain.send({ do: 'fund', maker: backer.address, ...funds })
  }

  const connect = (backer: Backer, place: number, instance: Instance) => {
    const { process } = instance
    if (!process || instance.readySince === null || backer.away || backer.connections[place]?.isOpen) return
    const connection: Connection = { instance, isOpen: true, leave: () => {} }
    backer.connections[place] = connection
    const travel = createLine(timeline, backer.random)
    const { openRfqs, leave: end } = process.service.hub.join({
      address: backer.address,
      send(frame) {
        if (!connection.isOpen || !process.life.isAlive()) return
        travel(() => connection.isOpen && onHint(backer, frame, session))
      },
    })
    const session = oracle.joined(
      backer.address,
      instance.number,
      openRfqs.map(({ rfqId }) => rfqId),
    )
    const leaveStatuses = backer.statuses.join(process)
    const leave = () => {
      session.gone()
      leaveStatuses()
      end()
    }
    const ended = () => {
      if (!connection.isOpen) return
      connection.isOpen = false
      session.gone()
      leaveStatuses()
      // The home instance may be ready before its backers reconnect. If the home instance stays down, its backers move
      // to another instance.
      later(backer.random.between(50, 2_000), () => reconnectOrMove(backer, place))
    }
    const sentElsewhere = () => {
      leave()
      ended()
    }
    connection.leave = () => {
      connection.isOpen = false
      process.onEnd.delete(ended)
      process.onLost.delete(sentElsewhere)
      leave()
    }
    process.onEnd.add(ended)
    process.onLost.add(sentElsewhere)
    for (const rfq of openRfqs) quoteFor(backer, rfq)
  }

  const reconnectOrMove = (backer: Backer, place: number) => {
    if (backer.away || backer.connections[place]?.isOpen) return
    const instance = backer.remote.ready()
    if (instance) connect(backer, place, instance)
  }

  const onHint = (backer: Backer, frame: string, session: ReturnType<Oracle['joined']>) => {
    const message = decodeOrThrow(serverMessageShape, JSON.parse(frame), 'A frame to a backer')
    if (message.type === 'rfq') {
      session.heard(message.rfqId)
      trace.note('rfq heard', `${backer.number} ${message.rfqId.slice(0, 8)}`)
      quoteFor(backer, message)
    } else if (message.type === 'auction_result') {
      trace.note('outcome heard', `${backer.number} ${message.rfqId.slice(0, 8)}`)
      oracle.outcomeReceived(backer.address, message)
    }
  }

  const quoteFor = (backer: Backer, rfq: ReceivedRfq) => {
    if (backer.heard.has(rfq.rfqId)) return
    backer.heard.add(rfq.rfqId)
    const plans: readonly Omit<QuoteAction, 'at' | 'do' | 'auction' | 'backer'>[] =
      backer.plans.get(auctionOf(rfq.notional)) ?? (history.calm && backer.number < careful ? [standing] : [])
    for (const plan of plans) later(plan.after, () => quote(backer, rfq, plan))
  }

  const now = () => BigInt(Math.floor((epoch + timeline.now()) / 1000))

  const terms = (
    backer: Backer,
    { seriesKey, notional, taker, takerVerified = false, minDeadline }: ReceivedRfq,
    price: number,
  ) => {
    salts += 1
    return {
      maker: backer.address,
      taker: taker !== undefined && (takerVerified || backer.random.chance(0.5)) ? taker : zeroAddress,
      poolId: pool.poolId,
      seriesKey,
      notional,
      vrtAmount: BigInt(price) * 1_000n,
      nonce: chain.fundsOf(backer.address).nonce,
      deadline: (minDeadline ?? now() + 22n) + BigInt(backer.random.between(0, 28)),
      salt: `0x${salts.toString(16).padStart(64, '0')}` as Hex,
    }
  }

  /**
   * Signs a quote, unless the backer checks its funds and they are insufficient. A signed quote counts as outstanding.
   */
  const sign = (
    backer: Backer,
    quote: ReturnType<typeof terms>,
    signer = backer.address,
    asker: 'unverified' | 'verified' = 'unverified',
  ): SignedQuote | null => {
    const signed = simSign(quote, signer)
    if (signer !== quote.maker || quote.maker !== backer.address) return signed
    if (backer.number < careful) {
      const loanToken = pool.loanToken
      const funds = { loanToken, ...chain.fundsOf(backer.address) }
      const to = { asker, taker: quote.taker }
      const share = history.calm ? shares.calm : shares.all
      if (affordableTo(backer.outstanding, funds, to, share) < quote.notional) {
        trace.note('not affordable', String(backer.number))
        return null
      }
      const promise: OutstandingQuote = { hash: simDigest(signed), loanToken, quote, asker }
      backer.ledger.push(promise)
      backer.outstanding.push(promise)
    }
    const all = quotesOf.get(backer.address) ?? []
    all.push(signed)
    quotesOf.set(backer.address, all)
    if (quote.notional > 0n) checkExposure(backer)
    return signed
  }

  /**
   * Checks that a careful backer's outstanding quotes do not exceed its funds. The oracle computes the sum of
   * outstanding quotes independently.
   */
  const checkExposure = (backer: Backer) => {
    if (backer.number >= careful) return
    const { balance, allowance, nonce, timestamp, ended } = chain.fundsOf(backer.address)
    const live = (quotesOf.get(backer.address) ?? []).filter(
      (quote) => quote.deadline >= timestamp && quote.nonce >= nonce && !ended.has(simDigest(quote)),
    )
    const sum = live.reduce((total, quote) => total + quote.notional, 0n)
    if (sum > balance || sum > allowance)
      oracle.violation(`backer ${backer.number} has more outstanding quotes than funds`)
  }

  /** Requests the receipt of a verdict, as the service's socket does after sending it. */
  const requestReceipt = (
    { service, life }: Process,
    backer: Sender,
    { rfqId, quote }: Pick<Submission, 'quote'> & { rfqId: PublicRfqId },
    verdict: SubmissionVerdict,
  ) =>
    service.hub.receipts?.ofVerdict({ backer: backer.address, rfqId, quote }, verdict, backer, (hash, receipt) => {
      proofs?.promised(receipt)
      // The connection may break before the receipt arrives.
      later(receiptMs, () => life.isAlive() && backer.receipts?.add(hash))
    })

  /** Requests a missing receipt by sending the same quote again. */
  const askAgain = (backer: Backer, rfqId: string, signed: SignedQuote, asks = 0) => {
    if (!proofs || asks >= maxAsks) return
    later(askMs * 2 ** asks, () => {
      const [on] = connected(backer)
      if (backer.receipts.has(simDigest(signed))) return
      trace.note('receipt asked again', String(backer.number))
      if (on) send(backer, rfqId, signed, on, () => {})
      askAgain(backer, rfqId, signed, asks + 1)
    })
  }

  const send = (
    backer: Sender,
    rfqId: string,
    signed: SignedQuote,
    instance: Instance,
    done: (verdict: SubmissionVerdict | null) => void,
  ) => {
    let isDone = false
    const finish = (verdict: SubmissionVerdict | null) => {
      if (isDone) return
      isDone = true
      done(verdict)
    }
    let submission: Submission | null = null
    backer.remote.call(
      instance,
      async (process) => {
        const { service, life } = process
        submissions += 1
        const sent = {
          ...{ id: submissions, life: life.id, instance: instance.number, backer: backer.address },
          ...{ rfqId, hash: simDigest(signed), quote: signed },
        }
        trace.note('submission', `${submissions} ${instance.number} ${sent.hash.slice(0, 8)}`)
        submission = sent
        oracle.submitted(sent)
        const receiver = { rfqId: toPublicRfqId(rfqId), quote: signed }
        const verdict = await service.hub.submit({ backer: backer.address, ...receiver })
        requestReceipt(process, backer, receiver, verdict)
        return verdict
      },
      (answer) => finish('value' in answer ? answer.value : null),
      (answer) => {
        if (!submission) return
        if ('value' in answer) oracle.answered(submission, answer.value)
        else oracle.unanswered(submission, 'lost' in answer)
      },
    )
    later(noAnswerMs, () => finish(null))
  }

  /** The instances that a backer is connected to. */
  const connected = (backer: Backer): Instance[] => {
    const open = backer.connections.flatMap((one) => (one?.isOpen ? [one.instance] : []))
    return [...new Set(open)]
  }

  /** Sends a signed quote and retries until its outcome is known. */
  const persist = (
    backer: Backer,
    rfqId: string,
    signed: SignedQuote | null,
    retries: boolean,
    instance?: Instance,
  ) => {
    if (!signed) return
    const until = timeline.now() + retryForMs
    const attempt = (on: Instance | undefined) => {
      if (!on) {
        if (retries && timeline.now() < until) later(300, () => attempt(connected(backer)[0]))
        return
      }
      send(backer, rfqId, signed, on, (verdict) => {
        const code = verdict === null ? 'NO_ANSWER' : verdict.ok ? null : verdict.rejection.code
        if (code === null) askAgain(backer, rfqId, signed)
        const isOpen = code !== null && ['NO_ANSWER', 'OUTCOME_UNKNOWN', ...outages].includes(code)
        if (!isOpen || !retries || timeline.now() > until) return
        trace.note('the same again', `${backer.number} ${code}`)
        later(backer.random.between(20, 1_500), () => attempt(connected(backer)[0]))
      })
    }
    attempt(instance ?? connected(backer)[0])
  }

  const quote = (
    backer: Backer,
    rfq: ReceivedRfq,
    { kind, price, retries }: Pick<QuoteAction, 'kind' | 'price' | 'retries'>,
  ) => {
    const [here, there] = connected(backer)
    const { rfqId } = rfq
    const fresh = (by = price, changes: Partial<ReturnType<typeof terms>> = {}) =>
      sign(
        backer,
        { ...terms(backer, rfq, by), ...changes },
        backer.address,
        rfq.takerVerified ? 'verified' : 'unverified',
      )
    const first = kind === 'terms that do not fit' || kind === 'more than its funds' ? null : fresh()
    trace.note(`plan: ${kind}`, `${backer.number} ${rfqId.slice(0, 8)}`)
    const handIn = (signed: SignedQuote | null, again = retries, on?: Instance) =>
      persist(backer, rfqId, signed, again, on)
    const once = () => handIn(first)
    const kinds: Record<QuoteKind, () => void> = {
      once,
      'around the close': once,
      'the same twice'() {
        handIn(first)
        later(backer.random.below(60), once)
      },
      'two that differ'() {
        handIn(first)
        if (first) later(backer.random.below(40), () => handIn(fresh(price - 1), false))
      },
      'two that differ, on two instances'() {
        handIn(first)
        handIn(fresh(price - 1), retries, there ?? here)
      },
      'the same on two instances'() {
        handIn(first)
        handIn(first, retries, there ?? here)
      },
      'again on any instance'() {
        handIn(first)
        later(backer.random.between(20, 500), () => handIn(first, retries, backer.remote.ready() ?? here))
      },
      'once more after the answer'() {
        if (!first || !here) return
        send(backer, rfqId, first, here, () => {
          handIn(backer.random.chance(0.5) ? first : fresh(price - 1))
          handIn(first, retries, there ?? here)
        })
      },
      'terms that do not fit'() {
        const bad = backer.random.pick([
          { notional: rfq.notional + 1n },
          { seriesKey: `0x${'77'.repeat(32)}` as Hex },
          { deadline: now() - 1n },
          { deadline: (rfq.minDeadline ?? 0n) - 1n },
          { notional: (rfq.minNotional ?? 0n) - 1n },
          { deadline: now() + 100_000n },
          { taker: '0x7000000000000000000000000000000000000007' as Address },
          { notional: 0n },
        ])
        handIn(fresh(price, bad), false)
        later(200, () => handIn(fresh()))
      },
      forged() {
        handIn(simSign(terms(backer, rfq, price - 1), strangers.forger), false)
        later(300, once)
      },
      'for another maker'() {
        const victim = backers[(backer.number + 1) % backers.length] ?? backer
        // An invented quote, or a copy of another backer's quote.
        const copied = (quotesOf.get(victim.address) ?? []).findLast(({ notional }) => notional === rfq.notional)
        handIn(copied ?? simSign({ ...terms(backer, rfq, price), maker: victim.address }, backer.address), false)
      },
      'more than its funds'() {
        if (backer.number < careful) return
        chain.send({ do: 'fund', maker: backer.address, balance: 10n, allowance: 10n })
        later(2_500, () => {
          handIn(fresh(), false)
          chain.send({ do: 'fund', maker: backer.address, ...riches })
        })
      },
      'an old nonce': () => handIn(fresh(price, { nonce: chain.fundsOf(backer.address).nonce + 1n }), false),
      'to a guessed auction'() {
        persist(backer, Buffer.from(backer.random.bytes(16)).toString('hex'), first, false)
      },
      'and disconnects'() {
        handIn(first)
        if (first) later(backer.random.below(40), () => leave(backer, backer.random.between(10, 3_000)))
      },
    }
    kinds[kind]()
  }

  const leave = (backer: Backer, milliseconds: number) => {
    if (backer.away) return
    backer.away = true
    for (const connection of backer.connections) if (connection?.isOpen) connection.leave()
    later(milliseconds, () => {
      backer.away = false
      // After a restart, the program has only the quotes stored on disk.
      backer.outstanding = has('promises forgotten') ? [] : [...backer.ledger]
      reconnectOrMove(backer, 0)
    })
  }

  const list = (instance: Instance, what: 'quotes' | 'observations') => {
    const synced = instance.process?.service.sync.status().synced?.number ?? null
    backers[0]?.remote.call(
      instance,
      async ({ service }) => {
        if (what === 'observations') return { quotes: [], observed: await service.book.observations({}) }
        return { quotes: (await service.book.list({ limit: 20 })).quotes, observed: [] }
      },
      () => {},
      (answer) => {
        const wellFor = timeline.now() - (healthySince(instance) ?? timeline.now())
        if ('error' in answer && /Storage/.test(String(answer.error)) && wellFor > 5_000) {
          oracle.violation(`listing ${what} failed although the database is healthy`)
        }
        if (!('value' in answer)) return
        trace.note('listed', `${answer.value.quotes.length} ${answer.value.observed.length} ${synced}`)
        for (const { quote, executable, judgedAt, hash, status } of answer.value.quotes) {
          if (!executable) continue
          trace.note('listed as executable', hash.slice(0, 8))
          oracle.listed(instance.number, hash, quote as SignedQuote, judgedAt?.hash)
          if (status !== 'active')
            oracle.violation(`${hash.slice(0, 8)} is listed as executable, but its status is ${status}`)
        }
        for (const { hash, rfqId } of answer.value.observed) oracle.observed(rfqId, hash)
      },
    )
  }

  const publish = (backer: Backer, { instance: number, price, good }: ActionOf<'publish'>) => {
    const instance = instances[number]
    const rfq = { rfqId: '', seriesKey: seriesOf('long').seriesKey, notional: 500_000n }
    const signed = sign(backer, terms(backer, rfq, price), good ? backer.address : strangers.publisher)
    if (!instance || !signed) return
    backer.remote.call(
      instance,
      ({ service }) => service.book.submit(signed),
      () => {},
      (answer) => {
        if (!('value' in answer)) return
        const { value } = answer
        trace.note(value.ok ? 'published' : `not published: ${value.rejection.code}`)
        if (value.ok && !good) oracle.violation('a quote signed by another account was published')
        if (value.ok && value.value.created) oracle.published(instance.number, simDigest(signed), signed)
      },
    )
  }

  const transact = ({ address, number, random }: Backer, { what }: ActionOf<'transaction'>) => {
    const own = (quotesOf.get(address) ?? []).filter((quote) => quote.notional > 0n)
    const quote = own.length > 0 ? random.pick(own) : undefined
    const isCareless = number >= careful
    if (what === 'cancel' && quote) chain.send({ do: 'cancel', quote })
    // Sometimes fills two quotes in one transaction.
    if (what === 'take' && quote)
      chain.send({ do: 'take', quotes: [quote, ...own.slice(-1)].slice(0, random.between(1, 2)) })
    if (what === 'raise') chain.send({ do: 'raiseNonce', maker: address })
    if (what === 'defund' && isCareless) chain.send({ do: 'fund', maker: address, balance: 1_000n, allowance: 1_000n })
    if (what === 'refund' && isCareless) chain.send({ do: 'fund', maker: address, ...riches })
    if (what === 'other') chain.send({ do: 'other' })
  }

  /** Performs a backer's action. */
  const by =
    <Planned extends { backer: number }>(run: (backer: Backer, action: Planned) => void) =>
    (action: Planned) => {
      const backer = backers[action.backer]
      if (backer) run(backer, action)
    }

  return {
    send,
    isHonest: (maker: string) => backers.some(({ address }) => address === maker),
    acts: {
      quote: by((backer, action: QuoteAction) => {
        backer.plans.set(action.auction, [...(backer.plans.get(action.auction) ?? []), action])
      }),
      'backer leaves': by((backer, action: ActionOf<'backer leaves'>) => leave(backer, action.for)),
      publish: by(publish),
      transaction: by(transact),
      list: (action: ActionOf<'list'>) => {
        const instance = instances[action.instance]
        if (instance) list(instance, action.what)
      },
    },
    /** Reconnects the backers whose home instance is this one. */
    reconnect(instance: Instance) {
      for (const [number, { first, second }] of history.homes.entries()) {
        const backer = backers[number]
        if (!backer) continue
        for (const [place, home] of [first, second].entries()) {
          if (home === instance.number) later(backer.random.between(1, 300), () => connect(backer, place, instance))
        }
      }
    },
  }
}

const outages = ['STORAGE_UNAVAILABLE', 'CHAIN_UNAVAILABLE', 'OVERLOADED']
