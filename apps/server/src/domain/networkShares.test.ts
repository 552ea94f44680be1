import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createNetworkShares, type Networks } from './networkShares.ts'

const of = (text: string): Networks => {
  const [wider = '', address = ''] = text.split('/')
  return { wider, address: `${wider}/${address}` }
}

/** Creates shares with connections named after their network and a number. */
function sharesWith(...counts: [network: string, count: number][]) {
  const shares = createNetworkShares<string>()
  for (const [network, count] of counts) {
    for (let n = 1; n <= count; n += 1) shares.add(`${network} ${n}`, of(network))
  }
  return shares
}

describe('chooseEviction', () => {
  test('default: the oldest connection of the largest address in the largest wider network', () => {
    // No address of `a` has as many connections as `b/1`, but `a` as a whole has more.
    const shares = sharesWith(['b/1', 4], ['a/1', 2], ['a/2', 3])
    expect(shares.chooseEviction(of('c/1'))).toBe('a/2 1')
  })

  test.each([
    ['smaller by one', 2, 'a/1 1'],
    ['as large', 3, null],
    ['larger', 4, null],
  ])('behavior: a newcomer whose wider network is %s', (_, own, expected) => {
    expect(sharesWith(['a/1', 3], ['b/1', own]).chooseEviction(of('b/1'))).toBe(expected)
  })

  test('behavior: within the largest wider network, a newcomer replaces a connection of a larger address only', () => {
    const shares = sharesWith(['a/1', 3], ['a/2', 2], ['b/1', 1])
    expect(shares.chooseEviction(of('a/2'))).toBe('a/1 1')
    expect(shares.chooseEviction(of('a/3'))).toBe('a/1 1')
    expect(shares.chooseEviction(of('a/1'))).toBeNull()
  })

  test('behavior: without connections there is nothing to evict', () => {
    const shares = sharesWith(['a/1', 1])
    shares.remove('a/1 1')
    shares.remove('a/1 1')
    expect(shares.chooseEviction(of('b/1'))).toBeNull()
  })

  test('behavior: an idle connection precedes a busy one of the same address, and no other', () => {
    const shares = sharesWith(['a/1', 2], ['b/1', 1])
    shares.mark('a/1 1', 'busy')
    expect(shares.chooseEviction(of('c/1'))).toBe('a/1 2')
    shares.mark('a/1 2', 'busy')
    expect(shares.chooseEviction(of('c/1'))).toBe('a/1 1')
    shares.mark('a/1 2', 'idle')
    expect(shares.chooseEviction(of('c/1'))).toBe('a/1 2')
    shares.mark('unknown', 'busy')
  })

  test('behavior: agrees with a count of all connections, in random histories', () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    let [chosen, refused] = [0, 0]
    const step = fc.record({ network: fc.nat(11), leaving: fc.option(fc.nat(50), { freq: 1 }) })
    const check = (steps: readonly { network: number; leaving: number | null }[]) => {
      const shares = createNetworkShares<number>()
      const present = new Map<number, Networks>()
      for (const [id, { network, leaving }] of steps.entries()) {
        const networks = of(`${network % 4}/${network}`)
        if (leaving === null) {
          shares.add(id, networks)
          present.set(id, networks)
        } else {
          const [gone = -1] = [...present.keys()].slice(leaving % Math.max(1, present.size))
          shares.remove(gone)
          present.delete(gone)
        }
        const all = [...present.values()]
        const sizeOf = (of: Networks, by: keyof Networks) => all.filter((one) => one[by] === of[by]).length
        const mostIn = (some: readonly Networks[], by: keyof Networks) =>
          Math.max(0, ...some.map((one) => sizeOf(one, by)))
        const eviction = shares.chooseEviction(networks)
        if (eviction === null) {
          refused += 1
          const own = all.filter(({ wider }) => wider === networks.wider)
          expect(mostIn(all, 'wider')).toBe(sizeOf(networks, 'wider'))
          expect(mostIn(own, 'address')).toBe(sizeOf(networks, 'address'))
        } else {
          chosen += 1
          const from = present.get(eviction) as Networks
          const like = all.filter(({ wider }) => wider === from.wider)
          expect(sizeOf(from, 'wider')).toBe(mostIn(all, 'wider'))
          expect(sizeOf(from, 'address')).toBe(mostIn(like, 'address'))
          expect(eviction).toBe([...present].find(([, { address }]) => address === from.address)?.[0])
        }
      }
    }
    fc.assert(fc.property(fc.array(step, { minLength: 60, maxLength: 120 }), check), { seed, numRuns: 30 })
    expect({ seed, isMet: chosen > 300 && refused > 30 }).toEqual({ seed, isMet: true })
  })
})
