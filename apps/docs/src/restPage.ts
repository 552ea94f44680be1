import type { ExampleFacts } from '@firmquote/core/endpoints'
import { passedHash, passedQuote } from '../../server/src/entry/http/description/exampleFacts.ts'
import { openApiDocument } from '../../server/src/entry/http/description/openApi.ts'
import type { Page } from './page.ts'
import { cell, fieldsOf, jsonBlock, type Schema, schemaSections, typeOf } from './schemaTables.ts'

type Media = { schema: Schema; examples?: Record<string, { summary: string; value: unknown }> }
type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security?: object[]
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: Schema }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { description: string; content?: Record<string, Media> }>
}
type Document = {
  info: { description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation> & { servers?: { url: string }[] }>
  components: { schemas: Record<string, Schema> }
}

/** Sample values for the examples, with a quote from the protocol's test vectors. */
const facts: ExampleFacts = {
  poolId: passedQuote.poolId,
  expiry: 1_798_761_600,
  account: passedQuote.maker,
  listed: null,
  passed: { hash: passedHash, quote: passedQuote },
}

/** The reference for the HTTP endpoints, generated from the service's OpenAPI document. */
export function restPage(): Page {
  const document = openApiDocument({ version: 'v1', facts }) as unknown as Document
  const [introduction = ''] = document.info.description.split('\n\nEvery error is')
  const operations = Object.entries(document.paths).flatMap(([path, { servers, ...methods }]) =>
    Object.entries(methods).map(([method, operation]) => ({
      operation,
      request: `${method.toUpperCase()} ${servers ? '' : '/api/v1'}${path}`,
    })),
  )
  const sections = document.tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    return [`## ${name}`, description, ...own.map((one) => describeOperation(one.request, one.operation))].join('\n\n')
  })
  const markdown = [
    '# REST reference',
    'Every service also publishes this reference as OpenAPI 3.1 at `/openapi.json`, and an API explorer at `/docs`. For formats and errors, see [the rules](#rules).',
    ...sections,
    '## Rules',
    introduction,
    'Every error response is `application/problem+json` with a code. For the codes, see [errors by code](/reference/errors).',
    '## Shapes',
    schemaSections(document.components.schemas),
  ].join('\n\n')
  return {
    path: 'reference/rest.md',
    title: 'REST reference',
    description: 'All HTTP endpoints of the service: parameters, bodies, responses and codes.',
    order: 10,
    markdown,
  }
}

function describeOperation(request: string, operation: Operation): string {
  const { operationId, summary, description, security, parameters = [], requestBody, responses } = operation
  const body = requestBody?.content['application/json']
  const parts = [
    `### ${summary} {#${operationId.toLowerCase()}}`,
    `\`${request}\``,
    ...(description === undefined ? [] : [description]),
    ...(security
      ? ['The maker authenticates with the [`Authorization`](/reference/protocol#authorization-of-a-maker) header.']
      : []),
  ]
  if (parameters.length > 0) {
    const rows = parameters.map(
      ({ name, in: place, required, description: text, schema }) =>
        `| \`${name}\` | ${place} | ${cell(typeOf(schema) + (required ? '' : ', optional'))} | ${cell(text ?? schema.description ?? '')} |`,
    )
    parts.push(['| parameter | in | value | meaning |', '|---|---|---|---|', ...rows].join('\n'))
  }
  if (body) {
    parts.push('**Body**', body.schema.$ref === undefined ? fieldsOf(body.schema) : `${typeOf(body.schema)}.`)
    for (const { summary: what, value } of Object.values(body.examples ?? {})) parts.push(`${what}:`, jsonBlock(value))
  }
  const answers = Object.entries(responses).map(([status, { description: text, content = {} }]) => {
    const shapes = Object.entries(content)
      .filter(([type]) => type !== 'application/problem+json')
      .map(([type, { schema }]) => (type === 'application/json' ? typeOf(schema) : `\`${type}\``))
    return `| ${status} | ${cell(shapes.join(', ') || 'problem')} | ${cell(linkCodes(text))} |`
  })
  parts.push('**Responses**', ['| status | body | meaning |', '|---|---|---|', ...answers].join('\n'))
  for (const [type, { schema }] of Object.entries(responses['200']?.content ?? {})) {
    if (type === 'application/json' && schema.properties) parts.push(fieldsOf(schema))
  }
  return parts.join('\n\n')
}

/** Links the codes in a sentence to their sections on the errors page. */
function linkCodes(text: string): string {
  return text.replaceAll(
    /`([A-Z]+(?:_[A-Z]+)*)` \(/g,
    (_, code: string) => `[\`${code}\`](/reference/errors#${code.toLowerCase()}) (`,
  )
}
