import { decodeOrThrow, type Shape } from '@firmquote/core/wire'
import * as z from 'zod/mini'

/** A method whose parameters have this shape. */
export function adminMethod<Params>(shape: Shape<Params>, run: (params: Params) => Promise<unknown>) {
  return async (params: unknown): Promise<unknown> => run(decodeOrThrow(shape, params ?? {}, 'The command'))
}

/** A text of 1 to `length` characters that a terminal shows as it is. */
export function plainText(length: number) {
  return z.string().check(
    z.minLength(1),
    z.maxLength(length),
    z.refine((text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text), 'must not have control characters'),
  )
}

/** The operator's name, as the caller states it; unverified. */
export const who = plainText(64)
/** The reason for a command. */
export const why = plainText(500)
