import type { Rejection } from '@firmquote/core'

/** A value, or the reason there is none. */
export type Outcome<T, R = Rejection> = { ok: true; value: T } | { ok: false; rejection: R }
