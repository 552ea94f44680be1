import * as z from 'zod/mini'

/** What a shape's JSON Schema says beyond its type: what it means, and what its checks ask for. */
export type WireFacts = {
  description: string
  [keyword: string]: unknown
}

/** What is known of the shapes besides what they check by themselves; descriptions of the API are made of it. */
export const wireRegistry: z.core.$ZodRegistry<WireFacts> = /* @__PURE__ */ z.registry<WireFacts>()

/** Notes what a shape's JSON Schema has to say; the shape stays as it is. */
export function described<Shape extends z.core.$ZodType>(shape: Shape, facts: WireFacts): Shape {
  // The registry's own types speak of each shape's output, which no fact here depends on.
  ;(wireRegistry as z.core.$ZodRegistry).add(shape, facts)
  return shape
}
