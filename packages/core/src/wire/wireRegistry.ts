// Why: docs/decisions/0001-one-wire-schema.md
import * as z from 'zod/mini'

/** JSON Schema properties of a shape beyond its type: the description and the constraints of its checks. */
export type WireFacts = {
  description: string
  [keyword: string]: unknown
}

/** JSON Schema properties of the shapes. The API descriptions are generated from them. */
export const wireRegistry: z.core.$ZodRegistry<WireFacts> = /* @__PURE__ */ z.registry<WireFacts>()

/** Facts about a shape that zod's definition lacks, for the generators of types and decoders. */
export type ShapeFacts = {
  /** The name of the generated type. */
  name?: string
  /** An existing type to use instead: a built-in, or an import from a module. */
  type?: { name: string; from?: string }
  /** Converts the text to the value, or to null when it is malformed. Exported from the package's root. */
  parse?: (text: string) => unknown
  /** Checks a number. Exported from the package's root. */
  accepts?: (value: number) => boolean
  /** The requirement of `parse` or `accepts`, to follow "must be". */
  expected?: string
  /** Two optional fields of which exactly one is required. */
  exactlyOne?: readonly [string, string]
}

/** Facts about the shapes for the code generators. */
export const shapeRegistry: z.core.$ZodRegistry<ShapeFacts> = /* @__PURE__ */ z.registry<ShapeFacts>()

/** Adds JSON Schema properties to a shape, without changing the shape. */
export function described<S extends z.core.$ZodType>(shape: S, facts: Partial<WireFacts>): S {
  return note(wireRegistry, shape, facts)
}

/** Adds facts for the code generators to a shape, without changing the shape. */
export function annotated<S extends z.core.$ZodType>(shape: S, facts: ShapeFacts): S {
  return note(shapeRegistry, shape, facts)
}

/** Sets the name and the description of a shape's generated type. */
export function named<S extends z.core.$ZodType>(name: string, description: string, shape: S): S {
  return described(annotated(shape, { name }), { description })
}

/** Returns a copy of the shape with its own description, for one field. */
export function field<S extends z.ZodMiniType>(shape: S, description: string): S {
  return described(shape.clone() as S, { description })
}

function note<S extends z.core.$ZodType>(registry: unknown, shape: S, facts: object): S {
  // The registries' types depend on each shape's output, which is irrelevant here.
  const known = registry as z.core.$ZodRegistry<object>
  known.add(shape, { ...known.get(shape), ...facts })
  return shape
}
