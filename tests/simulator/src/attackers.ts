import type { RFQRequest, RfqId, SignedQuote } from '@firmquote/core'
import { decodeOrThrow, serverMessageShape } from '@firmquote/core/wire'
import { type Address, getAddress, type Hex, zeroAddress } from 'viem'
import { type Attack, type AttackKind, attackers, createAttackAnswers } from './attacks.ts'
import type { createBackers } from './backers.ts'
import { type ActorDeps, addressOf, audience, simProof, takerOf } from './borrowers.ts'
import { limits } from './instance.ts'
import type { Instance } from './instanceState.ts'
import { epoch } from './life.ts'
import type { KnownAuction } from './oracle.ts'
import type { History } from './plan.ts'
import { createRemote } from './remote.ts'
import { pool, type SimChain, seriesOf } from './simChain.ts'
import { simDigest, simSign } from './simSignatures.ts'
import { createStatusReader } from './statusReader.ts'

/** Sizes of the attackers' requests. None is the size of a planned auction. */
const sizes = { least: 20_000n, usual: 700_000n, whale: 300_000_000n }
const funds = { balance: 50_000_000n, allowance: 50_000_000n }
/** Covers one request of the usual size. */
const debt = sizes.usual + sizes.least
/** Most refusals of a maker's quotes in an auction, and most checked proofs for each RFQ per minute. */
const most = { attempts: 3, proofsPerRfq: 5 }
/** Milliseconds by which a request may be counted later than it was sent. */
const countedWithinMs = 2_000
const refundMs = 5_000

type Heard = { rfqId: string; seriesKey: Hex; notional: bigint; minDeadline?: bigint }

/** Creates the attackers, and the rules that their attacks must not break. */
export function createAttackers({
  history,
  timeline,
  trace,
  chain,
  instances,
  oracle,
  random: named,
  send,
}: ActorDeps & { history: History; chain: SimChain } & Pick<ReturnType<typeof createBackers>, 'send'>) {
  const remote = createRemote({ timeline, instances, oracle }, named('attackers'))
  const answers = createAttackAnswers()
  const later = (milliseconds: number, run: () => void) => void timeline.at(timeline.now() + milliseconds, run)
  const instanceOf = (choice: number) => instances[choice % instances.length] as Instance
  const takers = Array.from({ length: attackers.takers }, (_, index) => accountOf(0xf0 + index))
  for (const taker of takers) chain.owe(taker, debt)
  const mover = accountOf(0xf8)
  const makers = Array.from({ length: attackers.makers }, (_, index) => ({
    address: accountOf(0xe0 + index),
    heard: [] as Heard[],
    remote,
    statuses: createStatusReader(
      { timeline, trace, oracle },
      accountOf(0xe0 + index),
      named(`statuses of attacker ${index}`),
    ),
  }))
  const funded = history.calm ? makers.slice(0, attackers.fundedMakers) : []
  for (const { address } of funded) chain.send({ do: 'fund', maker: address, ...funds })
  let [keys, salts] = [0, 0]

  /** Each client's auctions, by network or verified taker. */
  const opened = new Map<string, Set<KnownAuction>>()
  const counts = new Map<string, number>()
  const proofs = new Map<string, number[]>()
  const count = (key: string) => {
    const sum = (counts.get(key) ?? 0) + 1
    counts.set(key, sum)
    return sum
  }
  const isOpen = ({ closed, deadline }: KnownAuction) => !closed && timeline.now() < deadline
  const checkOpened = (auction: KnownAuction, network: string) => {
    const { takerVerified, taker } = auction.record.rfq
    const client = takerVerified ? `${taker}` : network
    const all = (opened.get(client) ?? new Set()).add(auction)
    opened.set(client, all)
    const open = [...all].filter(isOpen)
    const lately = [...all].filter(({ writtenAt }) => writtenAt > timeline.now() - 60_000 + countedWithinMs)
    const running = [...oracle.auctions.values()].filter(isOpen)
    const reserved = open.reduce((sum, { record }) => sum + record.rfq.notional, 0n)
    oracle.report('an attacker', {
      [`has ${open.length} open auctions`]: open.length > limits.openRfqs,
      [`has opened ${lately.length} auctions in a minute`]: lately.length > limits.rfqsPerMinute,
      [`has used a debt twice`]: takerVerified === true && reserved > debt,
      [`is verified as ${taker}`]: takerVerified === true && !takers.some((own) => own === taker),
      [`has brought the open auctions to ${running.length}`]: running.length > history.openAuctions * 1.5,
    })
  }

  const noteAnswer = (kind: AttackKind, answer: string) => {
    trace.note(`attack ${kind}: ${answer}`)
    if (!answers.count(kind, answer)) oracle.violation(`the attack "${kind}" was answered with ${answer}`)
  }

  /** Opens an auction. Calls `done` with the auction, or with null if it was refused. */
  const ask = (
    { kind, network, choice, size }: Attack,
    terms: Partial<Pick<RFQRequest, 'notional' | 'taker' | 'takerProof'>> = {},
    { key, holds = false, done = () => {} }: { key?: string; holds?: boolean; done?: (rfqId: RfqId) => void } = {},
  ) => {
    const address = network === 0 ? addressOf(0) : `10.7.${network}.1`
    const request = { poolId: pool.poolId, seriesKey: seriesOf('long').seriesKey, notional: sizes[size], ...terms }
    remote.call(
      instanceOf(choice),
      ({ service }) => service.hub.open(request, { address, audience, ...(key !== undefined && { key }) }),
      (answer) => {
        if (!('value' in answer) || !answer.value.ok) return
        const followed = answer.value.value
        if (holds) followed.listen({ event() {}, end() {} })
        done(followed.rfq.rfqId)
      },
      (answer) => {
        if (!('value' in answer)) return
        const { value } = answer
        if (!value.ok) {
          const { code } = value.rejection
          if (code === 'TAKER_PROOF_INVALID') checkProofs(address)
          return noteAnswer(kind, code)
        }
        const auction = oracle.auctionOf(value.value.rfq.rfqId)
        if (!auction) return
        checkOpened(auction, address)
        noteAnswer(kind, auction.record.rfq.takerVerified ? 'verified' : 'opened')
      },
    )
  }

  /** Counts the proofs checked for a network. */
  const checkProofs = (address: string) => {
    const now = timeline.now()
    const lately = [...(proofs.get(address) ?? []), now].filter((at) => at > now - 60_000 + countedWithinMs)
    proofs.set(address, lately)
    if (lately.length > most.proofsPerRfq * limits.rfqsPerMinute)
      oracle.violation(`${lately.length} proofs were checked for a network in a minute`)
  }

  const makerOf = ({ maker }: Pick<Attack, 'maker'>) => makers[maker % makers.length] as (typeof makers)[number]
  const proofOf = ({ taker: index }: Attack) => {
    const taker = takers[index % takers.length] as Address
    return { taker, takerProof: simProof(taker, taker) }
  }
  const termsOf = (attack: Attack, { seriesKey, notional, minDeadline }: Heard) => {
    salts += 1
    const deadline = minDeadline ?? BigInt(Math.floor((epoch + timeline.now()) / 1_000) + 40)
    return {
      ...{ maker: makerOf(attack).address, taker: zeroAddress, poolId: pool.poolId, seriesKey, notional },
      ...{ vrtAmount: BigInt(attack.percent) * 40n, nonce: 0n, deadline: deadline + 20n },
      salt: `0xa${salts.toString(16).padStart(63, '0')}` as Hex,
    }
  }

  /** Submits a quote for one of the RFQs that the maker received. */
  const quote = (
    attack: Attack,
    {
      changes = {},
      signer = makerOf(attack).address,
      rfqId,
      accepted = () => {},
    }: {
      changes?: Partial<ReturnType<typeof termsOf>>
      signer?: Address
      rfqId?: string
      accepted?: (signed: ReturnType<typeof simSign>, again: () => void, rfq: Heard) => void
    } = {},
  ) => {
    const maker = makerOf(attack)
    const rfq = maker.heard[attack.choice % Math.max(1, maker.heard.length)]
    if (!rfq) return
    const signed = simSign({ ...termsOf(attack, rfq), ...changes }, signer)
    const home = instanceOf(attack.maker)
    const submit = (done: () => void) =>
      send(maker, rfqId ?? rfq.rfqId, signed, home, (verdict) => {
        if (verdict === null) return
        const answer = verdict.ok ? 'accepted' : verdict.rejection.code
        noteAnswer(attack.kind, answer)
        const attempts = judgedCodes.has(answer) ? count(`attempts ${maker.address} ${rfq.rfqId}`) : 0
        if (attempts > most.attempts) oracle.violation(`${attempts} quotes of a maker were judged in an auction`)
        if (verdict.ok) done()
      })
    submit(() => accepted(signed, () => submit(() => {}), rfq))
  }

  const publish = (attack: Attack) => {
    const { seriesKey } = seriesOf('long')
    const signed = simSign(termsOf(attack, { rfqId: '', seriesKey, notional: sizes.usual }), makerOf(attack).address)
    const on = instanceOf(attack.choice)
    remote.call(
      on,
      ({ service }) => service.book.submit(signed, `10.7.${attack.network}.1`),
      () => {},
      (answer) => {
        if (!('value' in answer)) return
        const { value } = answer
        noteAnswer(attack.kind, value.ok ? 'stored' : value.rejection.code)
        if (!value.ok) return
        oracle.published(on.number, simDigest(signed), signed)
        if (count(`stored ${signed.maker}`) > limits.storedQuotesPerMaker)
          oracle.violation('a maker has published more quotes than its limit')
      },
    )
  }

  const acts: Record<AttackKind, (attack: Attack) => void> = {
    'open and drop': (attack) => ask(attack),
    'open and hold': (attack) => ask(attack, {}, { holds: true }),
    'unverified whale': (attack) => ask({ ...attack, size: 'whale' }, {}, { holds: attack.choice % 2 === 0 }),
    'dust request': (attack) => ask(attack, { notional: 1n }),
    'same key'(attack) {
      keys += 1
      const key = { key: `attack ${keys}` }
      ask(attack, {}, key)
      ask(attack, {}, key)
      later(500, () => ask(attack, { notional: sizes[attack.size] + 1n }, key))
    },
    'proof of another taker'(attack) {
      const taker = takerOf(attack.choice % 3)
      for (let left = 5; left > 0; left -= 1) ask(attack, { taker, takerProof: simProof(taker, takers[0] as Address) })
    },
    'name of another taker': (attack) => ask(attack, { taker: takerOf(attack.choice % 3) }),
    'rented debt'(attack) {
      for (let left = 5; left > 0; left -= 1) ask({ ...attack, size: 'least' }, proofOf(attack))
    },
    'moved debt'(attack) {
      // The account owes in every other block, and another account in the blocks between.
      const { number } = chain.head()
      const last = number + 13n
      for (let from = number + 1n; from <= last; from += 1n) {
        chain.owe(mover, from % 2n === 0n && from < last ? debt : 0n, from)
      }
      const proof = { taker: mover, takerProof: simProof(mover, mover) }
      for (const after of [10_500, 12_500]) later(after, () => ask({ ...attack, size: 'least' }, proof))
    },
    'debt used twice'(attack) {
      for (let left = 2; left > 0; left -= 1) ask({ ...attack, size: 'usual' }, proofOf(attack))
    },
    'take early'(attack) {
      const done = (rfqId: RfqId) =>
        later(attack.after, () =>
          remote.call(
            instanceOf(attack.choice),
            ({ service }) => service.hub.find(rfqId),
            (answer) => {
              const [first] = ('value' in answer && answer.value?.quotes) || []
              if (!first) return
              chain.send({ do: 'take', quotes: [first.quote as SignedQuote] })
              noteAnswer(attack.kind, 'taken')
            },
          ),
        )
      ask({ ...attack, size: 'least' }, {}, { holds: true, done })
    },
    'private quote'({ kind, choice }) {
      const open = [...oracle.auctions.values()].filter((auction) => isOpen(auction) && auction.rows.length > 0)
      const auction = open[choice % Math.max(1, open.length)]
      const row = auction?.rows[0]
      if (!row) return
      remote.call(
        instanceOf(choice),
        ({ service }) => service.book.find(row.hash),
        (answer) => {
          // After the close, anyone may read the quote without its signature.
          if ('value' in answer && isOpen(auction)) noteAnswer(kind, answer.value === null ? 'hidden' : 'shown')
        },
      )
    },
    reads({ kind, choice }) {
      remote.call(
        instanceOf(choice),
        async ({ service: { book } }) =>
          choice % 2 === 0 ? book.list({ sort: 'rate', limit: 20 }) : book.observations({ limit: 20 }),
        (answer) => 'value' in answer && noteAnswer(kind, 'read'),
      )
    },
    'quote without funds': (attack) => quote(attack),
    'quote of another maker': (attack) =>
      quote(attack, { changes: { maker: makerOf({ maker: attack.maker + 1 }).address } }),
    'forged signature': (attack) => quote(attack, { signer: makerOf({ maker: attack.maker + 1 }).address }),
    'dust quote': (attack) => quote(attack, { changes: { notional: 1n, vrtAmount: 0n } }),
    'guessed auction': (attack) => quote(attack, { rfqId: attack.choice.toString(16).padStart(32, '0') }),
    'the same again': (attack) => quote(attack, { accepted: (_, again) => again() }),
    'another quote': (attack) => quote(attack, { accepted: () => quote(attack) }),
    'quote and cancel': (attack) =>
      quote(attack, { accepted: (signed) => later(attack.after, () => chain.send({ do: 'cancel', quote: signed })) }),
    'quote and move funds': (attack) =>
      quote(attack, {
        accepted({ maker }) {
          later(attack.after, () => chain.send({ do: 'fund', maker, balance: 0n, allowance: 0n }))
          later(attack.after + refundMs, () => chain.send({ do: 'fund', maker, ...funds }))
        },
      }),
    publish(attack) {
      for (let left = 3; left > 0; left -= 1) publish(attack)
    },
  }

  return {
    act: (attack: Attack) => acts[attack.kind](attack),
    /** Connects the makers whose home is this instance. */
    connect(instance: Instance) {
      const { process } = instance
      if (!process || !history.calm) return
      for (const [index, { address, heard, statuses }] of makers.entries()) {
        if (instanceOf(index) !== instance) continue
        const { openRfqs } = process.service.hub.join({
          address,
          send(frame) {
            const message = decodeOrThrow(serverMessageShape, JSON.parse(frame), 'A frame to an attacker')
            if (message.type !== 'rfq') return
            session.heard(message.rfqId)
            heard.push(message)
            if (heard.length > 8) heard.shift()
          },
        })
        const ids = openRfqs.map(({ rfqId }) => rfqId)
        const session = oracle.joined(address, instance.number, ids)
        statuses.join(process)
      }
    },
  }
}

/** Refusals that count as attempts. */
const judgedCodes: ReadonlySet<string> = new Set([
  'MAKER_MISMATCH',
  'NOTIONAL_TOO_SMALL',
  'BAD_SIGNATURE',
  'INSUFFICIENT_BALANCE',
])

function accountOf(byte: number): Address {
  return getAddress(`0x${byte.toString(16).repeat(20)}`)
}
