// Why: docs/decisions/0001-one-wire-schema.md
import * as z from 'zod/mini'

/** A shape's JSON Schema properties besides its type: its description and its checks' constraints. */
export type WireFacts = {
  description: string
  [keyword: string]: unknown
}

/** The shapes' JSON Schema properties, from which the API descriptions are generated. */
export const wireRegistry: z.core.$ZodRegistry<WireFacts> = /* @__PURE__ */ z.registry<WireFacts>()

/** Facts that the type and decoder generators need but zod's definition lacks. */
export type ShapeFacts = {
  /** The name of the generated type. */
  name?: string
  /** An existing type to use instead: a built-in, or an import from a module. */
  type?: { name: string; from?: string }
  /** Converts text to the value, or to null if the text is malformed. Exported from the package root. */
  parse?: (text: string) => unknown
  /** Returns whether a number is valid. Exported from the package root. */
  accepts?: (value: number) => boolean
  /** The requirement of `parse` or `accepts`, phrased to follow "must be". */
  expected?: string
  /** Two optional fields, of which exactly one is required. */
  exactlyOne?: readonly [string, string]
}

/** Facts about shapes, for the code generators. */
export const shapeRegistry: z.core.$ZodRegistry<ShapeFacts> = /* @__PURE__ */ z.registry<ShapeFacts>()

/** Registers JSON Schema properties for a shape. Does not change the shape. */
export function described<S extends z.core.$ZodType>(shape: S, facts: Partial<WireFacts>): S {
  return note(wireRegistry, shape, facts)
}

/** Registers a shape's facts for the code generators. Does not change the shape. */
export function annotated<S extends z.core.$ZodType>(shape: S, facts: ShapeFacts): S {
  return note(shapeRegistry, shape, facts)
}

/** Sets the name and description of a shape's generated type. */
export function named<S extends z.core.$ZodType>(name: string, description: string, shape: S): S {
  return described(annotated(shape, { name }), { description })
}

/** Returns a copy of the shape with its own description, for a single field. */
export function field<S extends z.ZodMiniType>(shape: S, description: string): S {
  return described(shape.clone() as S, { description })
}

function note<S extends z.core.$ZodType>(registry: unknown, shape: S, facts: object): S {
  // The registries' types depend on each shape's output type, which is irrelevant here.
  const known = registry as z.core.$ZodRegistry<object>
  known.add(shape, { ...known.get(shape), ...facts })
  return shape
}
