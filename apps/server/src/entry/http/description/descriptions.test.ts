import { expect, test } from '@jest/globals'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { asyncApiDocument } from './asyncApi.ts'
import { passedHash, passedQuote } from './exampleFacts.ts'
import { openApiDocument } from './openApi.ts'

type Schema = Record<string, unknown>

const facts = {
  poolId: passedQuote.poolId,
  expiry: 1_900_000_000,
  account: passedQuote.maker,
  listed: null,
  passed: { hash: passedHash, quote: passedQuote },
}
const documents = {
  openApi: openApiDocument({ version: 'v1', facts }),
  asyncApi: asyncApiDocument({ version: 'v1', audience: 'wss://rfq.example.com/ws/rfq' }),
}

/** Lists every property of every schema in a document, with its path. */
function propertiesOf(value: unknown, path = ''): [path: string, schema: Schema][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
    const here = `${path}/${key}`
    // Inside examples and values, any properties are allowed.
    if (['example', 'examples', 'const', 'enum'].includes(key)) return []
    const own =
      key === 'properties'
        ? Object.entries(part as Record<string, Schema>).map(([name, schema]): [string, Schema] => [
            `${path}.${name}`,
            schema,
          ])
        : []
    return [...own, ...propertiesOf(part, here)]
  })
}

test.each(Object.entries(documents))('behavior: every property of %s is described', (_name, document) => {
  const { schemas } = document['components'] as { schemas: Record<string, Schema> }
  const describes = ({ $ref, description, const: fixed, allOf }: Schema): boolean => {
    if (typeof description === 'string') return /\S/.test(description)
    if (typeof $ref === 'string') return describes(schemas[$ref.split('/').at(-1) ?? ''] ?? {})
    // `type: 'ping'` is the message's name.
    return fixed !== undefined || (Array.isArray(allOf) && allOf.some(describes))
  }
  const all = propertiesOf(document)
  expect(all.length).toBeGreaterThan(80)
  expect(all.filter(([, schema]) => !describes(schema)).map(([path]) => path)).toEqual([])
})

test('behavior: every message of a socket and of a stream has examples that fit it', () => {
  const ajv = new Ajv({ strict: false, allErrors: true })
  formats(ajv)
  ajv.addSchema({ ...documents.asyncApi, $id: 'asyncapi' })
  const channels = documents.asyncApi['channels'] as Record<
    string,
    { messages: Record<string, { payload: Schema; examples?: { payload: Schema }[] }> }
  >
  const messages = Object.values(channels).flatMap((channel) => Object.entries(channel.messages))
  expect(messages.length).toBeGreaterThan(18)
  for (const [name, { payload: schema, examples = [] }] of messages) {
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"asyncapi#/')) as object)
    expect([name, examples.length > 0]).toEqual([name, true])
    for (const { payload } of examples) expect([name, validate(payload), validate.errors]).toEqual([name, true, null])
    const [first] = examples
    for (const key of (schema['required'] as string[] | undefined) ?? []) {
      const { [key]: _, ...rest } = first?.payload ?? {}
      expect([name, key, validate(rest)]).toEqual([name, key, false])
    }
  }
})
