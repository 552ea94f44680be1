import type { Service } from '../../../apps/server/src/app/service.ts'
import type { Quotas } from '../../../apps/server/src/ports/quotas.ts'

/** Bugs that the simulated ports can have, so that a test can ask whether the oracle finds them. None is on by default. */
export const defects = [
  'late accept',
  'early close',
  'double close',
  'close drops a quote',
  'interruption not recorded',
  'reused sequence number',
  'two quotes of a maker',
  'arrivals lost',
  'key not unique',
  'key not found',
  'lost fsync',
  'acknowledged before the commit',
  'unknown outcome told as a failure',
  'auction not resumed',
  'rows without a hint not read',
  'open auction observed',
  'cursor without compare-and-set',
  'lease held by two',
  'lease never ends',
  'status out of order',
  'status number reused',
  'reversal not told',
  'final too early',
  'quota not shared',
  'place not released',
  'backers counted twice',
  'old state taken as new',
  'every quote executable',
  'bloom filter empty',
  'forged signature accepted',
  'overload told as the chain',
  'monotonic clock jumps',
  'promises forgotten',
  'maker not compared',
  'event lost',
  'body of a key not compared',
  'drained at once',
  'best before the close',
  'clients not sent elsewhere',
  'stale chain not told',
] as const

/** One of {@link defects}. */
export type Defect = (typeof defects)[number]

/** Whether a defect is on. */
export type HasDefect = (defect: Defect) => boolean

/** Quotas whose places stay taken, if that defect is on. */
export function withQuotaDefects(quotas: Quotas, has: HasDefect): Quotas {
  if (!has('place not released')) return quotas
  return {
    ...quotas,
    async admit(asked, keptMs) {
      const admitted = await quotas.admit(asked, keptMs)
      return admitted.ok ? { ...admitted, place: { ...admitted.place, release: () => {} } } : admitted
    },
  }
}

/** A service with the defects that no port can have. */
export function withServiceDefects(service: Service, has: HasDefect): Service {
  const { hub } = service
  const bodies = new Map<string, Parameters<typeof hub.open>[0]>()
  return {
    ...service,
    hub: {
      ...hub,
      async open(request, requester) {
        const { key } = requester
        const isCompared = key === undefined || !has('body of a key not compared')
        if (!isCompared && !bodies.has(key)) bodies.set(key, request)
        return hub.open((isCompared ? undefined : bodies.get(key)) ?? request, requester)
      },
      async find(rfqId) {
        const result = await hub.find(rfqId)
        const isEarly = has('best before the close') && result?.status === 'open'
        return isEarly ? { ...result, best: { hashes: [], notional: 0n, cost: 0n } } : result
      },
      async follow(rfqId) {
        const followed = await hub.follow(rfqId)
        if (!followed || !has('event lost')) return followed
        return {
          ...followed,
          listen: (listener, after) =>
            followed.listen({ ...listener, event: (event) => event.type !== 'quote' && listener.event(event) }, after),
        }
      },
      submit: (given) => hub.submit(has('maker not compared') ? { ...given, backer: given.quote.maker } : given),
      drain: () => (has('drained at once') ? Promise.resolve() : hub.drain()),
    },
  }
}
