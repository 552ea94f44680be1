// Why: docs/decisions/0001-one-wire-schema.md
import * as z from 'zod/mini'

/** What a shape's JSON Schema says beyond its type: what it means, and what its checks ask for. */
export type WireFacts = {
  description: string
  [keyword: string]: unknown
}

/** What is known of the shapes besides what they check by themselves; descriptions of the API are made of it. */
export const wireRegistry: z.core.$ZodRegistry<WireFacts> = /* @__PURE__ */ z.registry<WireFacts>()

/** What the generators of types and of decoders need beyond zod's own definition of a shape. */
export type ShapeFacts = {
  /** The name of the type that is generated from the shape. */
  name?: string
  /** The type that stands for the shape instead: one of the language, or of a module. */
  type?: { name: string; from?: string }
  /** Turns the text into the value, or into null when it does not fit. Exported by the package's root. */
  parse?: (text: string) => unknown
  /** Whether a number fits. Exported by the package's root. */
  accepts?: (value: number) => boolean
  /** What `parse` or `accepts` ask for, after "must be". */
  expected?: string
  /** Of these two optional fields exactly one has to be there. */
  exactlyOne?: readonly [string, string]
}

/** What is known of the shapes for generated code. */
export const shapeRegistry: z.core.$ZodRegistry<ShapeFacts> = /* @__PURE__ */ z.registry<ShapeFacts>()

/** Adds to what a shape's JSON Schema has to say; the shape stays as it is. */
export function described<S extends z.core.$ZodType>(shape: S, facts: Partial<WireFacts>): S {
  return note(wireRegistry, shape, facts)
}

/** Adds to what generated code has to know of a shape; the shape stays as it is. */
export function annotated<S extends z.core.$ZodType>(shape: S, facts: ShapeFacts): S {
  return note(shapeRegistry, shape, facts)
}

/** Gives a shape the name and the description of the type that is generated from it. */
export function named<S extends z.core.$ZodType>(name: string, description: string, shape: S): S {
  return described(annotated(shape, { name }), { description })
}

/** The shape of one field: the same shape with a description of its own. */
export function field<S extends z.ZodMiniType>(shape: S, description: string): S {
  return described(shape.clone() as S, { description })
}

function note<S extends z.core.$ZodType>(registry: unknown, shape: S, facts: object): S {
  // The registries' own types speak of each shape's output, which no fact here depends on.
  const known = registry as z.core.$ZodRegistry<object>
  known.add(shape, { ...known.get(shape), ...facts })
  return shape
}
