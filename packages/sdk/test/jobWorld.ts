// A model of the chain, a wallet and browser tabs, for random histories of jobs. Everything that may happen is a choice
// of the caller's random source. The wallet may refuse, stay silent, answer late, twice or after it has refused, and send
// a request that it has called failed. Transactions may revert, be replaced or never be mined.

import type { Address, Hex } from 'viem'
import {
  type AskedQuote,
  type Attempt,
  createJob,
  type Fill,
  type Job,
  type JobEffect,
  type JobEvent,
  type JobPlan,
  type Request,
  stepJob,
} from '../src/jobs/job.ts'
import { decodeJob, encodeJob } from '../src/jobs/storedJob.ts'

const account: Address = `0x${'a1'.repeat(20)}`
const chainId = 8453
export const notional = 100n
export const limit = 50n
export const maxTakes = 3

type Quote = Omit<AskedQuote, 'since'> & { state: 'open' | 'gone' | 'filled'; isHostile: boolean }
type Transaction = { hash: Hex; request: Request; replaced: boolean }
type Tab = { job: Job; effects: JobEffect[]; events: JobEvent[]; connection: Connection }
type Connection = Extract<JobEvent, { type: 'connection' }>
type Mined = { hash: Hex; succeeded: boolean; isOther: boolean; fills: Fill[]; block: bigint }

/** Returns a random integer from 0 to `below - 1`. */
export type Random = (below: number) => number

/** A reproducible random source (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Creates a world with one open tab. `onStep` is called before each event. */
export function createWorld(random: Random, onStep: (job: Job, event: JobEvent) => void) {
  const chance = (percent: number) => random(100) < percent
  const choose = <Item>(items: readonly Item[]) => items[random(items.length)] as Item
  const quotes: Quote[] = []
  const mempool: Transaction[] = []
  const receipts = new Map<Hex, Mined>()
  const taken: Fill[] = []
  const canBatch = chance(50)
  /** Requests that the wallet still shows, with the tab that waits for the answer. */
  const prompts: { tab: Tab; attempt: Attempt; refused: boolean }[] = []
  let [block, count, allowance, isOperator, isCalm] = [1n, 0, 0n, false, false]
  let stored: string | null = null
  let holder: Tab | null = null
  const tabs: Tab[] = []

  const addQuote = (isHostile = chance(10)) => {
    count += 1
    const size = BigInt(10 * (1 + random(10)))
    const cost = (size * BigInt(random(60))) / 100n
    const hash: Hex = `0x${count.toString(16).padStart(64, '0')}`
    quotes.push({ hash, notional: size, cost, byKey: chance(70), state: 'open', isHostile })
  }
  for (let n = 0; n < 5; n += 1) addQuote()

  const send = (tab: Tab, event: JobEvent) => {
    onStep(tab.job, event)
    const { job, effects } = stepJob(tab.job, event)
    tab.job = job
    for (const effect of effects) {
      if (effect.type === 'persist') {
        if (holder === tab) stored = encodeJob(job)
      } else if (effect.type !== 'ask') {
        tab.effects.push(effect)
      } else if (chance(isCalm ? 0 : 3)) {
        // The page ends between the two effects.
        return close(tab)
      } else {
        perform(tab, effect)
      }
    }
    if (holder === tab && !isHeld(job)) holder = null
  }

  const open = () => {
    const job = decodeJob(stored) ?? createJob({ id: '1', account, chainId, notional, limit, maxTakes })
    const tab: Tab = { job, effects: [], events: [], connection: connection(true) }
    tabs.push(tab)
    if (stored !== null) send(tab, { type: 'restored' })
    send(tab, tab.connection)
    return tab
  }
  const close = (tab: Tab) => {
    tabs.splice(tabs.indexOf(tab), 1)
    if (holder === tab) holder = null
  }
  const press = (tab: Tab) => {
    if (holder !== null && holder !== tab) return
    if (holder === null && stored !== null) {
      // Another tab may have continued the job.
      Object.assign(tab, { job: decodeJob(stored), effects: [], events: [] })
      send(tab, { type: 'restored' })
      send(tab, tab.connection)
    }
    holder = tab
    send(tab, { type: 'pressed' })
    if (!isHeld(tab.job)) holder = null
  }

  const planFor = (job: Job, only: readonly Hex[] | null): JobPlan => {
    // A wrong plan must not be carried out.
    const isWrong = chance(isCalm ? 0 : 2)
    const isUsable = (quote: Quote) =>
      quote.state === 'open' &&
      (isWrong || quote.cost * notional <= limit * quote.notional) &&
      !job.gaveUp.includes(quote.hash) &&
      (quote.byKey || !job.keysOnly) &&
      (only === null || only.includes(quote.hash))
    const chosen: Quote[] = []
    let room = isWrong ? 3n * notional : notional - job.taken.reduce((sum, one) => sum + one.notional, 0n)
    for (const quote of [...quotes].sort((a, b) => Number(a.cost * b.notional - b.cost * a.notional))) {
      if (!isUsable(quote) || quote.notional > room || job.taken.length + chosen.length >= maxTakes) continue
      chosen.push(quote)
      room -= quote.notional
    }
    const [first] = chosen
    const cost = chosen.reduce((sum, quote) => sum + quote.cost, 0n)
    const asked = chosen.map(({ hash, notional, cost, byKey }) => ({ hash, notional, cost, byKey, since: block }))
    const forms: Request[] = []
    if (canBatch && !job.isApart && chosen.length > 0) forms.push({ kind: 'batch', quotes: asked })
    if (first && allowance < cost) forms.push({ kind: 'approve', quotes: [] })
    else if (first && !isOperator) forms.push({ kind: 'permit', quotes: [] })
    else if (first) forms.push({ kind: 'take', quotes: asked.slice(0, 1) })
    const refused = quotes.filter(({ state }) => state !== 'open').map(({ hash }) => hash)
    return { block, forms, stop: first ? null : 'nothing', limit, refused }
  }

  const execute = ({ request: { kind, quotes: asked }, hash, replaced }: Transaction): Mined => {
    block += 1n
    const before = { allowance, isOperator, quotes: quotes.map(({ state }) => state) }
    const revert = (): Mined => {
      ;({ allowance, isOperator } = before)
      for (const [index, state] of before.quotes.entries()) Object.assign(quotes[index] ?? {}, { state })
      return { hash, succeeded: false, isOther: false, fills: [], block }
    }
    if (replaced) return { hash, succeeded: true, isOther: true, fills: [], block }
    if (kind === 'approve') allowance = limit
    if (kind === 'permit' || kind === 'batch') isOperator = true
    if (kind === 'batch') allowance = asked.reduce((sum, quote) => sum + quote.cost, 0n)
    const fills: Fill[] = []
    for (const { hash: id } of asked) {
      const quote = quotes.find((one) => one.hash === id)
      if (quote?.state !== 'open' || quote.isHostile || !isOperator || allowance < quote.cost) return revert()
      quote.state = 'filled'
      allowance -= quote.cost
      const { notional, cost } = quote
      fills.push({ ...{ hash: id, notional, cost }, positionId: 1n, block, transactionHash: hash })
    }
    taken.push(...fills)
    return { hash, succeeded: true, isOther: false, fills, block }
  }

  const broadcast = (request: Request): Hex => {
    count += 1
    const hash: Hex = `0x${count.toString(16).padStart(64, 'f')}`
    mempool.push({ hash, request, replaced: false })
    return hash
  }

  /** The wallet's owner decides about a prompt, perhaps long after the job stopped waiting for it. */
  const decide = (index: number) => {
    const prompt = prompts[index]
    if (!prompt) return
    const { tab, attempt, refused } = prompt
    const { number } = attempt
    if (!refused && chance(isCalm ? 0 : 15)) {
      tab.events.push({ type: 'refused', number })
      // A wallet that says so may still send the request.
      if (chance(50)) prompts.splice(index, 1)
      else prompt.refused = true
      return
    }
    prompts.splice(index, 1)
    if (chance(isCalm ? 0 : 15)) {
      tab.events.push({ type: 'failed', number })
      if (chance(50)) return
    }
    if (chance(isCalm ? 0 : 10)) return
    const hash = broadcast(attempt)
    if (chance(isCalm ? 0 : 10)) return
    const answer: JobEvent =
      attempt.kind === 'batch' && chance(50) ? { type: 'called', number, id: hash } : { type: 'sent', number, hash }
    tab.events.push(answer)
    if (chance(isCalm ? 0 : 20)) tab.events.push(answer)
  }

  const perform = (tab: Tab, effect: JobEffect) => {
    const { job } = tab
    switch (effect.type) {
      case 'readPlan': {
        const { reading, only } = effect
        if (chance(isCalm ? 0 : 10)) return tab.events.push({ type: 'planFailed', reading })
        return tab.events.push({ type: 'planned', reading, plan: planFor(job, only) })
      }
      case 'readOutcome': {
        if (chance(isCalm ? 0 : 10)) return tab.events.push({ type: 'outcomeFailed' })
        const fills = taken.filter(({ hash }) => effect.quotes.some((quote) => quote.hash === hash))
        const isGone = ({ hash }: Pick<AskedQuote, 'hash'>) =>
          quotes.some((quote) => quote.hash === hash && quote.state === 'gone')
        const gone = effect.quotes.filter(isGone).map(({ hash }) => hash)
        return tab.events.push({ type: 'outcomeRead', fills, gone, block })
      }
      case 'ask': {
        const { attempt } = effect
        const { number } = attempt
        const isOpen = ({ hash }: AskedQuote) => job.open.some((quote) => quote.hash === hash)
        const isOver = ({ hash }: AskedQuote) => job.gaveUp.includes(hash) || job.taken.some((one) => one.hash === hash)
        forbid(decodeJob(stored)?.attempt?.number !== number, 'an attempt that is not stored')
        forbid(!job.isConnected || tab.connection.chainId !== chainId, 'an attempt on another chain')
        forbid(job.open.length > 0 && !attempt.quotes.every(isOpen), 'other quotes than the open ones')
        forbid(attempt.quotes.some(isOver), 'a quote that is taken or given up')
        if (attempt.kind === 'batch' && chance(isCalm ? 0 : 15)) return tab.events.push({ type: 'unsupported', number })
        const dead = attempt.quotes.some(({ hash }) => quotes.some((one) => one.hash === hash && one.state !== 'open'))
        if (dead && chance(70)) return tab.events.push({ type: 'wouldRevert', number })
        return prompts.push({ tab, attempt, refused: false })
      }
      case 'watch': {
        const { attempt } = effect
        const { stage, number } = attempt
        const current = decodeJob(stored)?.attempt
        const isForgotten = holder === tab && current?.number === number && current.stage.name === 'asked'
        forbid(isForgotten, 'a reload to forget a transaction')
        if (stage.name === 'asked') throw new TypeError('Nothing to watch.')
        const hash = stage.name === 'sent' ? stage.hash : (stage.id as Hex)
        const mined = receipts.get(hash)
        if (chance(isCalm ? 0 : 10)) return tab.events.push({ type: 'failed', number })
        if (mined) return tab.events.push({ type: 'mined', number, ...mined })
        const pending = mempool.find((one) => one.hash === hash)
        if (pending?.replaced) tab.events.push({ type: 'replaced', number, hash })
        // A dropped transaction is never mined.
        return pending ? tab.effects.push(effect) : tab.events.push({ type: 'failed', number })
      }
      default:
        return 0
    }
  }

  const mine = () => {
    const index = random(Math.max(1, mempool.length))
    const [transaction] = mempool.splice(index, 1)
    if (transaction) receipts.set(transaction.hash, execute(transaction))
    block += 1n
  }

  const actions: [number, () => unknown][] = [
    [30, () => tabs.length > 0 && advance(choose(tabs))],
    [20, () => tabs.length > 0 && deliver(choose(tabs))],
    [12, () => decide(random(Math.max(1, prompts.length)))],
    [12, mine],
    [6, () => tabs.length > 0 && press(choose(tabs))],
    [4, () => tabs.length > 0 && send(choose(tabs), { type: 'block' })],
    [2, () => tabs.length > 0 && send(choose(tabs), { type: 'gaveUp' })],
    [2, () => tabs.length > 0 && send(choose(tabs), { type: 'reset' })],
    [3, () => expire(choose(quotes))],
    [3, () => addQuote()],
    [2, () => mempool.length > 0 && Object.assign(choose(mempool), { replaced: true })],
    [1, () => mempool.splice(random(Math.max(1, mempool.length)), 1)],
    [2, () => tabs.length > 0 && connect(choose(tabs), chance(50))],
    [3, () => tabs.length > 0 && close(choose(tabs))],
    [3, () => tabs.length < 2 && open()],
  ]
  const total = actions.reduce((sum, [weight]) => sum + weight, 0)

  /** Gone by its deadline, its maker's nonce or another taker. */
  const expire = (quote: Quote) => {
    if (quote.state === 'open') quote.state = 'gone'
  }
  /** @throws {TypeError} if a job does what it must not do. */
  const forbid = (isWrong: boolean, what: string) => {
    if (isWrong) throw new TypeError(`The job allows ${what}.`)
  }
  const advance = (tab: Tab) => {
    const [effect] = tab.effects.splice(random(Math.max(1, tab.effects.length)), 1)
    if (effect) perform(tab, effect)
  }
  const deliver = (tab: Tab) => {
    const [event] = tab.events.splice(random(Math.max(1, tab.events.length)), 1)
    if (event) send(tab, event)
  }
  const connect = (tab: Tab, isOurs: boolean) => {
    tab.connection = connection(isOurs)
    send(tab, tab.connection)
  }
  const connection = (isOurs: boolean): Connection =>
    isOurs
      ? { type: 'connection', account, chainId }
      : { type: 'connection', account: choose([account, null]), chainId: 1 }

  open()
  return {
    taken: taken as readonly Fill[],
    tabs: tabs as readonly Tab[],
    /** Does something at random. */
    act(): void {
      let left = random(total)
      for (const [weight, action] of actions) {
        left -= weight
        if (left < 0) {
          action()
          return
        }
      }
    },
    /** Lets an honest wallet and node finish the job in one tab, and returns it. */
    finish(): Job {
      isCalm = true
      for (const tab of tabs.slice(1)) close(tab)
      const tab = tabs[0] ?? open()
      for (const quote of quotes) expire(quote)
      for (let n = 0; n < 10; n += 1) addQuote(false)
      for (let rounds = 0; rounds < 60 && tab.job.phase.name !== 'done'; rounds += 1) {
        connect(tab, true)
        if (tab.job.phase.name === 'asking' && prompts.length === 0) send(tab, { type: 'gaveUp' })
        press(tab)
        for (let n = 0; n < 40; n += 1) {
          advance(tab)
          deliver(tab)
          decide(0)
          mine()
        }
        send(tab, { type: 'block' })
      }
      for (let n = 0; n < 200; n += 1) {
        decide(0)
        mine()
      }
      send(tab, { type: 'block' })
      while (tab.effects.length + tab.events.length > 0) {
        advance(tab)
        deliver(tab)
      }
      return tab.job
    },
  }
}

/** Whether the tab keeps the lock of its account. */
function isHeld({ isRunning, attempt }: Job): boolean {
  return isRunning || attempt !== null
}
