import * as z from 'zod/mini'
import type { Shape } from './decode.ts'
import { annotated, described } from './wireRegistry.ts'

type ExactlyOne<T, A extends keyof T, B extends keyof T> = Omit<T, A | B> &
  (
    | ({ [K in A]: Exclude<T[A], undefined> } & { [K in B]?: never })
    | ({ [K in B]: Exclude<T[B], undefined> } & { [K in A]?: never })
  )

/** Requires exactly one of two optional fields of an object. */
export function exactlyOne<T, A extends keyof T & string, B extends keyof T & string>(
  shape: z.ZodMiniType<T>,
  one: A,
  other: B,
): Shape<ExactlyOne<T, A, B>> {
  const checked = shape.check(
    z.refine((value) => (value[one] === undefined) !== (value[other] === undefined), {
      error: `must be given, or ${other}, but not both`,
      path: [one],
    }),
  )
  described(checked, { oneOf: [{ required: [one] }, { required: [other] }] })
  return annotated(checked, { exactlyOne: [one, other] }) as unknown as Shape<ExactlyOne<T, A, B>>
}
