import { ChainUnavailableError } from '@firmquote/core'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { beforeEach, describe, expect, test } from '@jest/globals'
import type { BlockHeader, Chain } from '../../ports/chain.ts'
import { ChainDisagreesError } from '../../ports/errors.ts'
import type { NodeStatus } from '../../ports/nodes.ts'
import { createNodePool, type NodePool, type PoolNode } from './nodePool.ts'
import type { NodeFault } from './retryPolicy.ts'

/** A scripted node. From `branchFrom` on, its blocks belong to `branch`. */
type Script = {
  head: bigint
  finalized: bigint | null
  branch: string
  branchFrom: bigint
  fault: NodeFault | null
  refuses: boolean
  reads: number
}

let clock: ReturnType<typeof createFakeClock>
let scripts: Script[]
let pool: NodePool
let seen: NodeStatus[]
const messages: string[] = []

const block = ({ branch, branchFrom }: Script, number: bigint): BlockHeader => ({
  number,
  hash: `0x${number < branchFrom ? 'a' : branch}${number.toString(16)}`,
  timestamp: number,
  parentHash: '0x',
  logsBloom: '0x',
})

function nodeOf(script: Script, name: string, isVerified = true): PoolNode {
  const answer = async <T>(value: () => T): Promise<T> => {
    script.reads += 1
    if (script.fault || script.refuses) throw new ChainUnavailableError('no')
    return value()
  }
  const chain = {
    readHead: () => answer(() => block(script, script.head)),
    readFinalized: () => answer(() => (script.finalized === null ? null : block(script, script.finalized))),
    readBlocks: (numbers: bigint[]) => answer(() => numbers.map((number) => block(script, number))),
    readChainId: () => answer(() => Number(name)),
    readFunds: () => answer(() => ({ block: block(script, script.head), node: name })),
    readTakerSignature: async () => (script.fault ? null : true),
  } as unknown as Chain
  return { name, chain, health: { fault: () => script.fault }, isVerified, verify: async () => !script.fault }
}

function start(count: number, isVerified?: boolean) {
  scripts = Array.from({ length: count }, () => ({
    ...{ head: 100n, finalized: 36n, branch: 'a', branchFrom: 0n, fault: null, refuses: false, reads: 0 },
  }))
  seen = []
  const [first, ...others] = scripts.map((script, index) => nodeOf(script, `${index}`, index > 0 || isVerified))
  pool = createNodePool({
    nodes: [first as PoolNode, ...others],
    clock,
    log: { warn: (_, message) => messages.push(message) },
    onStatus: (status) => seen.push(status),
  })
}
const script = (index: number) => scripts[index] as Script
const read = () => pool.chain.readChainId()
/** Advances by an interval and probes, this many times. */
const probes = async (count: number) => {
  for (let probe = 0; probe < count; probe += 1) {
    clock.advance(3_000)
    await pool.probe()
  }
}

beforeEach(async () => {
  clock = createFakeClock()
  messages.length = 0
  start(2)
  await pool.probe()
})

describe('a read', () => {
  test('default: is made by the preferred node', async () => {
    expect(await read()).toBe(0)
    expect(pool.status()).toEqual({ name: '0', isPreferred: true, reason: 'preferred', disagrees: false })
  })

  test.each(['silent', 'limited', 'garbage'] as const)('behavior: a node that is %s is left at once', async (fault) => {
    script(0).fault = fault
    expect(await read()).toBe(1)
    expect(pool.status()).toEqual({ name: '1', isPreferred: false, reason: fault, disagrees: false })
    const { reads } = script(0)
    expect(await read()).toBe(1)
    expect(script(0).reads).toBe(reads)
    expect(messages).toEqual(['switched to another node'])
  })

  test('behavior: a read that the node only refuses is repeated, and the node stays', async () => {
    script(0).refuses = true
    expect(await read()).toBe(1)
    expect(pool.status()).toMatchObject({ name: '0' })
  })

  test('behavior: a signature that a failing node does not check is checked by the next one', async () => {
    script(0).fault = 'silent'
    expect(await pool.chain.readTakerSignature({ account: '0x', digest: '0x', signature: '0x' })).toBe(true)
  })

  test('behavior: state of a node that is 4 blocks behind is read from another one, before the node is left', async () => {
    const readFunds = () => pool.chain.readFunds({ makers: [], tokens: [] })
    script(1).head = 104n
    await probes(1)
    expect(await readFunds()).toMatchObject({ node: '1' })
    expect(pool.status()).toMatchObject({ name: '0' })
    script(0).head = 101n
    expect(await readFunds()).toMatchObject({ node: '0' })
    script(0).head = 100n
    script(1).head = 100n
    await expect(readFunds()).rejects.toThrow('The node is behind a block that was read before.')
  })

  test('behavior: state more than 3 blocks below earlier state of the same node is used only after 6 seconds', async () => {
    start(1)
    const readFunds = () => pool.chain.readFunds({ makers: [], tokens: [] })
    const behind = 'The node is behind a block that was read before.'
    for (const head of [104n, 101n]) {
      script(0).head = head
      expect(await readFunds()).toMatchObject({ node: '0' })
    }
    script(0).head = 100n
    await expect(readFunds()).rejects.toThrow(behind)
    clock.advance(5_999)
    await expect(readFunds()).rejects.toThrow(behind)
    clock.advance(1)
    expect(await readFunds()).toMatchObject({ node: '0' })
  })

  test('error: no node works', async () => {
    for (const one of scripts) one.fault = 'silent'
    await expect(read()).rejects.toThrow(ChainUnavailableError)
  })
})

describe('a pinned chain', () => {
  test('behavior: reads one node, and the pool moves to another one when it fails', async () => {
    const pinned = pool.chain.pin()
    expect([pool.chain.pin() === pinned, pinned.pin() === pinned]).toEqual([true, true])
    script(0).fault = 'silent'
    await expect(pinned.readChainId()).rejects.toThrow(ChainUnavailableError)
    expect(pool.chain.pin()).not.toBe(pinned)
    expect(await pool.chain.pin().readChainId()).toBe(1)
  })
})

describe('probes', () => {
  test('behavior: the preferred node is used again after 15 healthy seconds', async () => {
    script(0).fault = 'limited'
    await read()
    script(0).fault = null
    await probes(5)
    expect(pool.status()).toMatchObject({ name: '1' })
    await probes(1)
    expect(pool.status()).toMatchObject({ name: '0', reason: 'preferred' })
    expect(seen.map(({ name, reason }) => [name, reason])).toEqual([
      ['0', 'preferred'],
      ['1', 'limited'],
      ['0', 'preferred'],
    ])
  })

  test('behavior: a node that is behind in two probes is left', async () => {
    script(1).head = 104n
    await probes(1)
    expect(pool.status()).toMatchObject({ name: '0' })
    await probes(1)
    expect(pool.status()).toMatchObject({ name: '1', reason: 'behind' })
  })

  test('behavior: a node that did not answer at startup is used once it is verified', async () => {
    start(2, false)
    script(0).fault = 'silent'
    await pool.probe()
    expect(pool.status()).toMatchObject({ name: '1', reason: 'unverified' })
    script(0).fault = null
    await probes(6)
    expect(pool.status()).toMatchObject({ name: '0', reason: 'preferred' })
  })

  test('behavior: probes are scheduled until the pool stops', async () => {
    pool.start()
    pool.stop()
    await new Promise((resolve) => setImmediate(resolve))
    expect(clock.pending()).toBe(0)
  })
})

describe('finalized blocks', () => {
  test('error: two nodes with different ones: nothing is read until they agree', async () => {
    const pinned = pool.chain.pin()
    script(1).branch = 'b'
    await probes(1)
    for (const chain of [pool.chain, pinned]) await expect(chain.readChainId()).rejects.toThrow(ChainDisagreesError)
    expect(pool.status()).toMatchObject({ disagrees: true })
    // A node that no longer answers cannot end the conflict.
    script(1).fault = 'silent'
    await probes(3)
    await expect(read()).rejects.toThrow(ChainDisagreesError)
    Object.assign(script(1), { fault: null, branch: 'a' })
    await probes(1)
    expect(await read()).toBe(0)
    expect(seen.map(({ disagrees }) => disagrees)).toEqual([false, true, false])
  })

  test('behavior: a block that is finalized on every node is compared', async () => {
    Object.assign(script(1), { finalized: 20n, branch: 'b', branchFrom: 21n })
    await probes(1)
    expect(pool.status().disagrees).toBe(false)
    script(1).branchFrom = 20n
    await probes(1)
    expect(pool.status().disagrees).toBe(true)
  })

  test('behavior: without a finalized block, the block 64 below the head is compared', async () => {
    for (const one of scripts) one.finalized = null
    script(1).branch = 'b'
    for (const one of scripts) one.head = 63n
    await probes(1)
    expect(pool.status().disagrees).toBe(false)
    for (const one of scripts) one.head = 64n
    await probes(1)
    expect(pool.status().disagrees).toBe(true)
  })

  test('behavior: of three nodes, the majority decides, and the other one is left', async () => {
    start(3)
    script(0).branch = 'b'
    await pool.probe()
    expect(pool.status()).toEqual({ name: '1', isPreferred: false, reason: 'conflicting', disagrees: false })
    expect(await read()).toBe(1)
    script(0).branch = 'a'
    await probes(6)
    expect(pool.status()).toMatchObject({ name: '0' })
  })

  test('error: the only node that answers is in the minority', async () => {
    start(3)
    script(0).branch = 'b'
    await pool.probe()
    for (const index of [1, 2]) script(index).fault = 'silent'
    await expect(read()).rejects.toThrow(ChainUnavailableError)
  })
})
