// Why: docs/decisions/0079-several-nodes.md
import { type BlockRef, ChainUnavailableError } from '@firmquote/core'
import type { Clock } from '@firmquote/core/utils'
import type { Hex } from 'viem'
import {
  awayMs,
  chooseNode,
  compareFinalized,
  countBehind,
  isBehind,
  judgeNode,
  type NewestBlock,
  type NodeView,
  noteBlock,
} from '../../domain/chooseNode.ts'
import type { BlockHeader, Chain } from '../../ports/chain.ts'
import { ChainDisagreesError } from '../../ports/errors.ts'
import type { NodeStatus } from '../../ports/nodes.ts'
import { limitBudgets } from './callBudget.ts'
import type { NodeHealth } from './nodeHealth.ts'

/** One of the nodes, with its own client and caches. */
export type PoolNode = {
  name: string
  chain: Chain
  health: Pick<NodeHealth, 'fault'>
  /** Whether the node was found to be on the right chain. */
  isVerified: boolean
  /** Checks a node that did not answer at startup. Resolves to whether it is on the right chain. */
  verify(): Promise<boolean>
}

/** Options of {@link createNodePool}. */
export type NodePoolOptions = {
  /** The nodes in order of preference. */
  nodes: readonly [PoolNode, ...PoolNode[]]
  clock: Pick<Clock, 'monotonic' | 'after'>
  log: { warn(facts: Record<string, unknown>, message: string): void }
  /** Number of blocks below the head that are compared if a node reports no finalized block. */
  reorgWindow?: number
  /** Called for the first node in use, and after each switch with its reason. */
  onStatus?(status: NodeStatus): void
}

/** Several nodes as one chain. */
export type NodePool = {
  chain: Chain
  status(): NodeStatus
  /** Probes every node once and chooses. */
  probe(): Promise<void>
  /** Starts probing. */
  start(): void
  stop(): void
}

const probeIntervalMs = 3_000
/** Milliseconds of health after which a node's back-off starts anew. */
const forgivenMs = 300_000
/** Maximum milliseconds for a probe's read, and for a read that another node can repeat. */
const [probeMs, firstReadMs] = [1_500, 900]

const readNames = [
  'readHead',
  'readFinalized',
  'readBlocks',
  'readChainId',
  'readEvents',
  'readBlockLogs',
  'readGenesisHash',
  'readQuoteStates',
  'readKnownQuotes',
  'readCapacities',
  'readSignatures',
  'readFunds',
  'readMarkets',
  'readAccount',
  'readRates',
  'readDebt',
  'readTakerSignature',
] as const satisfies readonly (keyof Chain)[]

/** Reads of the newest state. The other ones are about given blocks, or return no block. */
const newestReads: ReadonlySet<(typeof readNames)[number]> = new Set([
  'readQuoteStates',
  'readKnownQuotes',
  'readCapacities',
  'readFunds',
  'readMarkets',
])

type Read = (...given: unknown[]) => Promise<unknown>
type Member = PoolNode & {
  read: Record<(typeof readNames)[number], Read>
  pinned: Chain
  view: NodeView
  timesLeft: number
}

/**
 * Creates a chain that reads one node at a time. A failed read is repeated once on the next node, except on a pinned
 * node. The pure functions in `domain/chooseNode` decide; this shell measures and switches.
 */
export function createNodePool({
  nodes,
  clock,
  log,
  reorgWindow = 64,
  onStatus = () => {},
}: NodePoolOptions): NodePool {
  let current = 0
  let reason = 'preferred'
  let disagrees = false
  /** The nodes that took part in the last conflict. They must all agree before the chain is believed again. */
  let suspects: ReadonlySet<number> = new Set()
  /**
   * The newest block of all probes and reads; null before the first. One URL may lead to several nodes, so a read may
   * return an older block than the same URL did before.
   */
  let newest: NewestBlock | null = null
  let isStopped = false
  let cancel = () => {}

  const members = nodes.map((node): Member => {
    const read = node.chain as unknown as Member['read']
    const view: NodeView = {
      failure: node.isVerified ? null : 'unverified',
      probeMs: null,
      probesBehind: 0,
      isConflicting: false,
      healthySince: null,
      retryAt: 0,
    }
    return { ...node, read, view, timesLeft: 0, pinned: node.chain }
  })
  const memberAt = (index: number) => members[index] as Member
  const inUse = () => memberAt(current)
  const views = () => members.map(({ view }) => view)

  const status = (): NodeStatus => ({ name: inUse().name, isPreferred: current === 0, reason, disagrees })

  const choose = () => {
    const now = clock.monotonic()
    const choice = chooseNode({ nodes: views(), current, now })
    if (choice.reason === null) return
    const left = inUse()
    if (choice.reason !== 'preferred') {
      left.timesLeft += 1
      left.view.retryAt = now + awayMs(left.timesLeft)
    }
    current = choice.index
    reason = current === 0 ? 'preferred' : choice.reason
    log.warn({ from: left.name, to: inUse().name, reason: choice.reason }, 'switched to another node')
    onStatus(status())
  }

  /** Notes a node's failed read, unless the node only refused it. */
  const noteFailure = ({ health, view }: Member) => {
    const fault = health.fault()
    if (fault === null) return
    view.failure = fault
    view.healthySince = null
    choose()
  }

  const believe = () => {
    if (disagrees || inUse().view.isConflicting) throw new ChainDisagreesError()
  }

  /** Returns the node that repeats a read: the one now in use, or another one that works. */
  const alternative = (failed: Member): Member | undefined =>
    inUse() === failed
      ? members.find((member) => member !== failed && judgeNode(member.view, views()) === null)
      : inUse()

  /** Whether an answer says that the node did not reply. Signatures' reads never reject. */
  const isUnknown = (value: unknown) => value === null || (Array.isArray(value) && value.includes(null))

  const readPinned =
    (member: Member, name: (typeof readNames)[number]): Read =>
    async (...given) => {
      believe()
      try {
        return await limitBudgets(firstReadMs, () => member.read[name](...given))
      } catch (error) {
        if (error instanceof ChainUnavailableError) noteFailure(member)
        throw error
      }
    }

  const note = (number: bigint): NewestBlock => {
    newest = noteBlock(newest, number, clock.monotonic())
    return newest
  }

  /** Rejects state of a node that is behind. Until two probes have found it behind, it stays in use. */
  const expectNewest = (name: (typeof readNames)[number], value: unknown) => {
    if (!newestReads.has(name)) return value
    const { number } = (value as { block: BlockRef }).block
    if (isBehind(number, note(number).number)) {
      throw new ChainUnavailableError('The node is behind a block that was read before.')
    }
    return value
  }

  const readAnywhere =
    (name: (typeof readNames)[number]): Read =>
    async (...given) => {
      believe()
      const member = inUse()
      const repeat = async (other: Member) => expectNewest(name, await other.read[name](...given))
      try {
        const value = expectNewest(name, await limitBudgets(firstReadMs, () => member.read[name](...given)))
        if (!isUnknown(value) || member.health.fault() === null) return value
        noteFailure(member)
        const other = alternative(member)
        return other ? await repeat(other) : value
      } catch (error) {
        if (!(error instanceof ChainUnavailableError)) throw error
        noteFailure(member)
        const other = alternative(member)
        if (!other) throw error
        believe()
        return repeat(other)
      }
    }

  const chainOf = (readOf: (name: (typeof readNames)[number]) => Read, pin: () => Chain): Chain => ({
    ...(Object.fromEntries(readNames.map((name) => [name, readOf(name)])) as Omit<Chain, 'pin'>),
    pin,
  })
  for (const member of members) {
    member.pinned = chainOf(
      (name) => readPinned(member, name),
      () => member.pinned,
    )
  }

  /** Reads a node's head and finalized block. Returns null if the node does not answer. */
  const probeNode = async (member: Member) => {
    const { chain, health, view } = member
    const startedAt = clock.monotonic()
    try {
      if (!member.isVerified) member.isVerified = await limitBudgets(probeMs, member.verify)
      if (!member.isVerified) return null
      const [head, finalized] = await limitBudgets(probeMs, () =>
        Promise.all([chain.readHead(), chain.readFinalized()]),
      )
      const ms = clock.monotonic() - startedAt
      view.failure = null
      return { head, finalized, ms }
    } catch {
      view.failure = member.isVerified ? (health.fault() ?? 'garbage') : 'unverified'
      return null
    }
  }

  const lastMs = members.map((): number | null => null)

  const hashAt = async ({ chain }: Member, number: bigint): Promise<Hex | null> => {
    try {
      const [block] = await limitBudgets(probeMs, () => chain.readBlocks([number]))
      return block?.hash ?? null
    } catch {
      return null
    }
  }

  /** Compares a block that is finalized on every node that answered. */
  const compare = async (found: readonly ({ head: BlockHeader; finalized: BlockHeader | null } | null)[]) => {
    const numbers = found.flatMap((one) =>
      one ? [one.finalized?.number ?? one.head.number - BigInt(reorgWindow)] : [],
    )
    const lowest = numbers.reduce<bigint | null>((least, one) => (least === null || one < least ? one : least), null)
    if (lowest === null || lowest < 0n) return
    const read = () => Promise.all(members.map((member, index) => (found[index] ? hashAt(member, lowest) : null)))
    let hashes = await read()
    let verdict = compareFinalized(hashes)
    // The nodes may have been read during a reorganisation, so a conflict must show twice.
    if (verdict === 'disagree' || verdict.length > 0) {
      hashes = await read()
      verdict = compareFinalized(hashes)
    }
    const didAgree = verdict !== 'disagree' && verdict.length === 0
    if (didAgree && [...suspects].some((index) => hashes[index] === null)) return
    const minority = verdict === 'disagree' ? [] : verdict
    const did = disagrees
    disagrees = verdict === 'disagree'
    suspects = didAgree ? new Set() : new Set(hashes.flatMap((hash, index) => (hash === null ? [] : [index])))
    members.forEach(({ view, name }, index) => {
      const isConflicting = minority.includes(index)
      if (isConflicting && !view.isConflicting)
        log.warn({ node: name, block: Number(lowest) }, 'node has another finalized block than most nodes; not used')
      view.isConflicting = isConflicting
    })
    if (disagrees && !did)
      log.warn({ block: Number(lowest) }, 'nodes have different finalized blocks; quotes and RFQs are refused')
    if (disagrees !== did) onStatus(status())
  }

  const probe = async () => {
    const found = await Promise.all(members.map(probeNode))
    members.forEach(({ view }, index) => {
      const one = found[index]
      const others = found.map((other, position) => (position === index ? null : (other?.head.number ?? null)))
      view.probesBehind = countBehind(view.probesBehind, one?.head.number ?? null, others)
      if (!one) return
      view.probeMs = Math.min(one.ms, lastMs[index] ?? one.ms)
      lastMs[index] = one.ms
    })
    for (const one of found) if (one) note(one.head.number)
    await compare(found)
    const now = clock.monotonic()
    for (const member of members) {
      const { view } = member
      view.healthySince = judgeNode(view, views()) === null ? (view.healthySince ?? now) : null
      if (view.healthySince !== null && now - view.healthySince >= forgivenMs) member.timesLeft = 0
    }
    choose()
  }

  const schedule = () => {
    if (isStopped) return
    cancel = clock.after(probeIntervalMs, () => void probe().finally(schedule))
  }

  onStatus(status())
  return {
    chain: chainOf(readAnywhere, () => inUse().pinned),
    status,
    probe,
    start: () => void probe().finally(schedule),
    stop() {
      isStopped = true
      cancel()
    },
  }
}
