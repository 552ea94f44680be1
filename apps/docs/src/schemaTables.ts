/** A JSON Schema in the OpenAPI or AsyncAPI document. Contains only the keywords that the service uses. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

/** The anchor of a named schema on its document's page. */
export function anchorOfSchema(name: string): string {
  return `shape-${name.toLowerCase()}`
}

const nameOf = ($ref: string) => $ref.split('/').at(-1) ?? ''
const alternativesOf = ({ anyOf, oneOf }: Schema) => anyOf ?? oneOf ?? []

/** Describes a schema's type in a few words, or links to a named schema's section. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return `[${nameOf(schema.$ref)}](#${anchorOfSchema(nameOf(schema.$ref))})`
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  // Error codes are documented on a separate page.
  if (schema.enum && schema.enum.length > 12) return '[a code](/reference/errors)'
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
  if (schema.items) return `list of ${typeOf(schema.items)}`
  const alternatives = alternativesOf(schema)
  if (alternatives.length > 0) return alternatives.map(typeOf).join(' or ')
  if (schema.allOf?.length === 1 && schema.allOf[0]) return typeOf(schema.allOf[0])
  const types = [schema.type ?? 'any value'].flat()
  return types.join(' or ')
}

/** Formats a table cell as one line, with vertical bars escaped. */
export function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
}

/**
 * Table rows for an object's fields. Nested fields follow their parent and are named by their path, such as
 * `seenAt.blockNumber`.
 */
function rowsOf(schema: Schema, prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const optional = schema.required?.includes(name) ? '' : ', optional'
    const row = `| \`${prefix}${name}\` | ${cell(typeOf(field) + optional)} | ${cell(field.description ?? '')} |`
    const inner = field.properties ? field : field.items?.properties ? field.items : undefined
    return [row, ...(inner ? rowsOf(inner, `${prefix}${name}${field.items ? '[]' : ''}.`) : [])]
  })
}

/** A table of an object's fields, or one table for each alternative. Any other schema is described in a sentence. */
export function fieldsOf(schema: Schema): string {
  const alternatives = alternativesOf(schema)
  if (alternatives.length > 0) {
    return alternatives.map((one, index) => `${index === 0 ? 'Either' : 'Or'}:\n\n${fieldsOf(one)}`).join('\n\n')
  }
  const parts = [schema, ...(schema.allOf ?? [])].filter(({ properties }) => properties)
  const rows = parts.flatMap((part) => rowsOf(part))
  if (rows.length === 0) return `${typeOf(schema)}.`
  return ['| field | value | meaning |', '|---|---|---|', ...rows].join('\n')
}

/** Formats one section for each named schema. */
export function schemaSections(schemas: Readonly<Record<string, Schema>>): string {
  return Object.entries(schemas)
    .map(([name, schema]) => {
      const about = schema.description === undefined ? '' : `${schema.description}\n\n`
      const isObject = schema.properties ?? schema.allOf ?? alternativesOf(schema)[0]
      return `### ${name} {#${anchorOfSchema(name)}}\n\n${about}${isObject ? fieldsOf(schema) : `A ${typeOf(schema)}.`}`
    })
    .join('\n\n')
}

/** Formats a value as a fenced JSON block. */
export function jsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
}
