/** A JSON Schema as OpenAPI and AsyncAPI documents have it; only what the service's shapes use. */
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

/** The anchor of a named schema on the page of its document. */
export function anchorOfSchema(name: string): string {
  return `shape-${name.toLowerCase()}`
}

const nameOf = ($ref: string) => $ref.split('/').at(-1) ?? ''
const alternativesOf = ({ anyOf, oneOf }: Schema) => anyOf ?? oneOf ?? []

/** What a value of a schema is, in a few words; a named one as a link to its section. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return `[${nameOf(schema.$ref)}](#${anchorOfSchema(nameOf(schema.$ref))})`
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  // The codes of errors have a page of their own.
  if (schema.enum && schema.enum.length > 12) return '[a code](/reference/errors)'
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
  if (schema.items) return `list of ${typeOf(schema.items)}`
  const alternatives = alternativesOf(schema)
  if (alternatives.length > 0) return alternatives.map(typeOf).join(' or ')
  if (schema.allOf?.length === 1 && schema.allOf[0]) return typeOf(schema.allOf[0])
  const types = [schema.type ?? 'any value'].flat()
  return types.join(' or ')
}

/** A cell of a table: one line, without a bar that would end it. */
export function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
}

/** The rows of an object's fields; fields of an object inside of it follow, with their path: `seenAt.blockNumber`. */
function rowsOf(schema: Schema, prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const optional = schema.required?.includes(name) ? '' : ', optional'
    const row = `| \`${prefix}${name}\` | ${cell(typeOf(field) + optional)} | ${cell(field.description ?? '')} |`
    const inner = field.properties ? field : field.items?.properties ? field.items : undefined
    return [row, ...(inner ? rowsOf(inner, `${prefix}${name}${field.items ? '[]' : ''}.`) : [])]
  })
}

/** The fields of an object, or of each of several alternatives, as tables; a sentence for any other schema. */
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

/** The sections of all named schemas. */
export function schemaSections(schemas: Readonly<Record<string, Schema>>): string {
  return Object.entries(schemas)
    .map(([name, schema]) => {
      const about = schema.description === undefined ? '' : `${schema.description}\n\n`
      const isObject = schema.properties ?? schema.allOf ?? alternativesOf(schema)[0]
      return `### ${name} {#${anchorOfSchema(name)}}\n\n${about}${isObject ? fieldsOf(schema) : `A ${typeOf(schema)}.`}`
    })
    .join('\n\n')
}

/** A value as a fenced block. */
export function jsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
}
