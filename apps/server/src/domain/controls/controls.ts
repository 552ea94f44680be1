// Why: docs/decisions/0081-control.md
import { decode, type Shape } from '@firmquote/core/wire'
import { type Address, getAddress } from 'viem'
import * as z from 'zod/mini'
import { type Halt, type Halts, haltBody, haltSubject, indexHalts, parseHaltSubject } from './halts.ts'

/** A maker's ban. */
export type Ban = {
  kind: 'ban'
  maker: Address
  /** Unix milliseconds. */
  since: number
  /** Unix milliseconds; null if the ban has no end. */
  until: number | null
  why: string
}

/** Admits a maker that `BACKER_ALLOW_LIST` does not list. */
export type Allowance = {
  kind: 'allow'
  maker: Address
  /** Unix milliseconds. */
  since: number
}

/** An integrator's API key, by its hash. The key itself is never stored. */
export type IntegratorKey = {
  kind: 'key'
  /** SHA-256 of the key in lower-case hex, which identifies the integrator's quotas. */
  hash: string
  name: string
  rfqsPerMinute: number
  openRfqs: number
  /** Unix milliseconds. */
  since: number
  /** Unix milliseconds; null if the key does not expire. */
  until: number | null
  /** Unix milliseconds; null if the key has not been revoked. */
  revokedAt: number | null
}

/** A limit that overrides a setting. */
export type LimitOverride = {
  kind: 'limit'
  /** The setting's name. */
  name: string
  value: number
  /** Unix milliseconds. */
  since: number
}

/** An operator's decision. */
export type Control = Ban | Allowance | IntegratorKey | LimitOverride | Halt

/** A stored decision: see `ControlRow` in `ports/store`. */
type Row = { kind: string; subject: string; body: string }

/** The operator's decisions at one version. Lookups take the time in Unix milliseconds. */
export type Controls = {
  version: number
  /** The maker's ban; null if it is not banned at this time. */
  banOf(maker: Address, now: number): Ban | null
  /** The bans in force, oldest first. */
  bans(now: number): readonly Ban[]
  /** The banned makers. The same array while they are the same, so that a store may remember its encoding. */
  bannedMakers(now: number): readonly Address[]
  /** The makers admitted besides `BACKER_ALLOW_LIST`, longest admitted first. */
  allowances: readonly Allowance[]
  /** Whether a maker is admitted besides `BACKER_ALLOW_LIST`. */
  allows(maker: Address): boolean
  /** Integrators' keys, including expired and revoked ones, oldest first. */
  keys: readonly IntegratorKey[]
  /** The key with a hash, in lower-case hex. */
  keyOf(hash: string): IntegratorKey | null
  /** The overridden limits, by the setting's name. */
  limits: ReadonlyMap<string, LimitOverride>
  halts: Halts
}

const time = z.number().check(z.int(), z.nonnegative())
const bodies = {
  ban: z.strictObject({ since: time, until: z.nullable(time), why: z.string() }),
  allow: z.strictObject({ since: time }),
  key: z.strictObject({
    ...{ name: z.string(), rfqsPerMinute: time, openRfqs: time, since: time },
    ...{ until: z.nullable(time), revokedAt: z.nullable(time) },
  }),
  limit: z.strictObject({ value: time, since: time }),
  halt: haltBody,
} as const satisfies Record<Control['kind'], Shape<unknown>>

/** A decision as a row. */
export function encodeControl(control: Control): Row {
  if (control.kind === 'key') {
    const { kind, hash, ...body } = control
    return { ...keyOf(kind, hash), body: JSON.stringify(body) }
  }
  if (control.kind === 'limit') {
    const { kind, name, ...body } = control
    return { ...keyOf(kind, name), body: JSON.stringify(body) }
  }
  if (control.kind === 'halt') {
    const { kind, since, message, why } = control
    return { kind, subject: haltSubject(control), body: JSON.stringify({ since, message, why }) }
  }
  const { kind, maker, ...body } = control
  return { ...keyOf(kind, maker), body: JSON.stringify(body) }
}

/** The key of a row. The subject is a maker's address, a key's hash, or a setting's name. */
export function keyOf(kind: Control['kind'], subject: string): Pick<Row, 'kind' | 'subject'> {
  return { kind, subject: kind === 'limit' ? subject : subject.toLowerCase() }
}

/**
 * Decodes rows and indexes them. Skips kinds that only a later version of the server knows.
 *
 * @throws {TypeError} if a row of a known kind has another shape, or a halt another subject.
 * @throws {InvalidAddressError} if a row's subject is no address.
 */
export function indexControls({ version, controls }: { version: number; controls: readonly Row[] }): Controls {
  const bans: Ban[] = []
  const allowances: Allowance[] = []
  const keys: IntegratorKey[] = []
  const limits = new Map<string, LimitOverride>()
  const halts: Halt[] = []
  for (const row of controls) {
    const { kind, subject } = row
    if (kind === 'ban') bans.push({ kind, maker: getAddress(subject), ...decoded(row, bodies.ban) })
    if (kind === 'allow') allowances.push({ kind, maker: getAddress(subject), ...decoded(row, bodies.allow) })
    if (kind === 'key') keys.push({ kind, hash: subject, ...decoded(row, bodies.key) })
    if (kind === 'limit') limits.set(subject, { kind, name: subject, ...decoded(row, bodies.limit) })
    if (kind === 'halt') halts.push({ kind, ...parseHaltSubject(subject), ...decoded(row, bodies.halt) })
  }
  for (const list of [bans, allowances]) list.sort((a, b) => a.since - b.since)
  keys.sort((a, b) => a.since - b.since || (a.name < b.name ? -1 : 1))
  const byMaker = new Map(bans.map((ban) => [ban.maker.toLowerCase(), ban]))
  const allowed = new Set(allowances.map(({ maker }) => maker.toLowerCase()))
  const byHash = new Map(keys.map((key) => [key.hash, key]))
  const inForce = (now: number) => bans.filter((ban) => isInForce(ban, now))
  let listed: readonly Address[] = []

  return {
    version,
    banOf(maker, now) {
      const ban = byMaker.get(maker.toLowerCase())
      return ban && isInForce(ban, now) ? ban : null
    },
    bans: inForce,
    bannedMakers(now) {
      const makers = bans.length === 0 ? [] : inForce(now).map(({ maker }) => maker)
      // Bans only end while a version lasts, so equally long lists are equal.
      if (makers.length !== listed.length) listed = makers
      return listed
    },
    allowances,
    allows: (maker) => allowed.has(maker.toLowerCase()),
    keys,
    keyOf: (hash) => byHash.get(hash) ?? null,
    limits,
    halts: indexHalts(halts),
  }
}

function isInForce({ until }: Ban, now: number): boolean {
  return until === null || now < until
}

function decoded<Body>({ kind, subject, body }: Row, shape: Shape<Body>): Body {
  const result = decode(shape, JSON.parse(body))
  if (result.ok) return result.value
  throw new TypeError(`The control ${kind} ${subject} has an unexpected shape: ${JSON.stringify(result.issues)}.`)
}
