import type { Rejection } from '@firmquote/core'

/** A value, or the reason for its absence. */
export type Outcome<T, R = Rejection> = { ok: true; value: T } | { ok: false; rejection: R }
