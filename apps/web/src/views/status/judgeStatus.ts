import type { ServiceHealth } from '@firmquote/sdk'

/** The state of a component. `unknown` while the service does not respond. */
export type ComponentState = 'ok' | 'degraded' | 'down' | 'unknown'

/** The service's components, in the order of dependence. */
export const components = ['service', 'database', 'node', 'sync', 'clock', 'makers'] as const
export type ComponentName = (typeof components)[number]

/** Seconds by which the service's clock must lag behind the chain to count as degraded. */
const mostClockBehind = 30

/** Judges each component. `health` is null if the last request got no response, and undefined before the first. Pure. */
export function judgeStatus(health: ServiceHealth | null | undefined): Record<ComponentName, ComponentState> {
  if (!health) {
    const [database, node, sync, clock, makers] = Array.from({ length: 5 }, () => 'unknown' as const)
    return { service: health === null ? 'down' : 'unknown', database, node, sync, clock, makers } as Record<
      ComponentName,
      ComponentState
    >
  }
  const { status, database, sync, backers } = health
  const isClockBehind = sync.lagSeconds !== null && sync.lagSeconds < -mostClockBehind
  // The service itself decides from which lag on it is degraded.
  const isBehind = status !== 'ok' && database === 'ok' && sync.head !== null && !isClockBehind
  return {
    service: status,
    database,
    node: sync.head === null ? 'down' : 'ok',
    sync: sync.synced === null ? 'down' : isBehind ? 'degraded' : 'ok',
    clock: isClockBehind ? 'degraded' : 'ok',
    makers: backers.connected === 0 ? 'degraded' : 'ok',
  }
}

/** A component's state, and when this page saw it change, in Unix milliseconds, or null if it did not. */
export type Seen = { state: ComponentState; at: number | null }

/** Notes when states change. Returns the same object if none did. Pure. */
export function noteChanges(
  seen: Partial<Record<ComponentName, Seen>>,
  states: Record<ComponentName, ComponentState>,
  now: number,
): Partial<Record<ComponentName, Seen>> {
  const changed = components.filter((name) => seen[name]?.state !== states[name])
  if (changed.length === 0) return seen
  // The first state that is seen may be older.
  const atOf = (name: ComponentName) => (seen[name] === undefined || seen[name].state === 'unknown' ? null : now)
  return { ...seen, ...Object.fromEntries(changed.map((name) => [name, { state: states[name], at: atOf(name) }])) }
}
