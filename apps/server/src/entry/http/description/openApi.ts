import { type Code, codes } from '@firmquote/core'
import {
  bodyProblems,
  commonProblems,
  type Endpoint,
  type Example,
  type ExampleFacts,
  endpoints,
  problems,
} from '@firmquote/core/endpoints'
import { formatProblem } from '../responses/problem.ts'
import { componentSchemas, type JsonSchema, refTo, schemaOf } from './componentSchemas.ts'

type Described = Record<string, unknown>

/** Describes the API in OpenAPI 3.1. `version` is the server's. */
export function openApiDocument({ version, facts }: { version: string; facts: ExampleFacts }): Described {
  const paths: Record<string, Described> = {}
  for (const operation of Object.values<Endpoint>(endpoints)) {
    const item = paths[operation.path] ?? (operation.root ? { servers: [{ url: '/' }] } : {})
    item[operation.method] = describeOperation(operation, facts)
    paths[operation.path] = item
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Firmquote',
      version,
      summary: 'Fixed rates for variable-rate debt: signed quotes from auctions or from the order book.',
      description: introduction(),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api/v1' }],
    security: [],
    tags: [
      {
        name: 'Auctions',
        description: 'Request quotes from all connected backers. Quotes arrive until the auction closes.',
      },
      { name: 'Quotes', description: 'The order book of published quotes, which anyone can take on-chain.' },
      { name: 'Makers', description: "A maker's own data. Requests are authenticated by the `Authorization` header." },
      { name: 'Markets', description: 'Rates, pools and positions.' },
      { name: 'Service', description: 'The configuration and health of this service.' },
    ],
    paths,
    components: {
      schemas: componentSchemas(paths),
      securitySchemes: {
        Backer: {
          type: 'http',
          scheme: 'Backer',
          description:
            '`Authorization: Backer <address>.<timestamp>.<nonce>.<signature>`: an EIP-712 signature of the maker over the public URL of the backer socket, valid for an hour. `docs/protocol.md` specifies the signed data.',
        },
      },
      headers: {
        'X-Request-Id': {
          description: "The request's ID, which also appears in the log.",
          schema: { type: 'string' },
        },
        'Retry-After': { description: 'Seconds to wait before the next request.', schema: { type: 'string' } },
        Allow: { description: 'The methods that this endpoint allows.', schema: { type: 'string' } },
        'WWW-Authenticate': { description: 'The `Authorization` scheme: `Backer`.', schema: { type: 'string' } },
        Location: { description: 'The URL of the quote.', schema: { type: 'string' } },
      },
    },
  }
}

function introduction(): string {
  const rows = codes.map((code) => `| \`${code}\` | ${problems[code].status} | ${problems[code].title} |`)
  return [
    'Borrowers request a fixed rate once and receive signed quotes from every connected backer, best first. The service holds no keys and moves no funds: quotes are taken, cancelled and settled on-chain.',
    "Amounts, nonces and deadlines are decimal strings. Amounts are in raw units of the pool's loan token, and deadlines in Unix seconds. `expiry` is a number in Unix seconds. Fields whose names end in `At` are Unix milliseconds. Rates are percentages for display. Unknown keys are rejected.",
    'Backers connect to the WebSocket `/ws/rfq`. `/asyncapi.json` describes it and the event stream of an auction, which `GET /rfq/{rfqId}/stream` resumes.',
    `Every error is \`application/problem+json\` with one of these codes, which the WebSocket also uses:\n\n| Code | Status | Meaning |\n|---|---|---|\n${rows.join('\n')}`,
  ].join('\n\n')
}

function describeOperation(operation: Endpoint, facts: ExampleFacts): Described {
  const { id, tag, summary, description, body, authorization } = operation
  const examples = operation.examples?.(facts) ?? {}
  const parameters = [
    ...pathParameters(operation, examples),
    ...queryParameters(operation, examples),
    ...headerParameters(operation, examples),
  ]
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(authorization && { security: [{ Backer: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(body), ...given(examples['body']) } },
      },
    }),
    responses: describeAnswers(operation),
  }
}

type Examples = Record<string, Record<string, Example>>

const given = (examples: Record<string, Example> | undefined) => examples && { examples }

function pathParameters({ parameters = {} }: Endpoint, examples: Examples): Described[] {
  return Object.entries(parameters).map(([name, shape]) => ({
    name,
    in: 'path',
    required: true,
    schema: schemaOf(shape),
    ...given(examples[name]),
  }))
}

function queryParameters({ query }: Endpoint, examples: Examples): Described[] {
  if (!query) return []
  const { properties = {}, required = [] } = schemaOf(query) as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
    ...given(examples[name]),
  }))
}

function headerParameters({ headers = {} }: Endpoint, examples: Examples): Described[] {
  return Object.entries(headers).map(([name, { shape, description }]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: schemaOf(shape),
    ...given(examples[name]),
  }))
}

function describeAnswers({ answers, body, problems: own }: Endpoint): Record<string, Described> {
  const responses: Record<string, Described> = {}
  for (const [status, { description, shape, mediaType, headers = [] }] of Object.entries(answers)) {
    responses[status] = {
      description,
      headers: headerRefs(['X-Request-Id', ...headers]),
      content: shape
        ? { [mediaType ?? 'application/json']: { schema: schemaOf(shape) } }
        : { [mediaType ?? 'text/plain']: { schema: { type: mediaType === 'application/json' ? 'object' : 'string' } } },
    }
  }
  for (const [status, codesOfStatus] of byStatus([...own, ...(body ? bodyProblems : []), ...commonProblems])) {
    const answer = responses[status]
    const content = { 'application/problem+json': problemContent(Number(status), codesOfStatus) }
    const refusals = codesOfStatus.map((code) => `\`${code}\` (${problems[code].title})`).join(', ')
    responses[status] = {
      description: answer ? `${String(answer['description'])} Or ${refusals}.` : `${refusals}.`,
      headers: { ...headerRefs(problemHeaders(Number(status))), ...(answer?.['headers'] as Described | undefined) },
      content: { ...(answer?.['content'] as Described | undefined), ...content },
    }
  }
  return responses
}

function byStatus(among: readonly Code[]): [string, Code[]][] {
  const found = new Map<string, Code[]>()
  for (const code of new Set(among)) {
    const status = String(problems[code].status)
    found.set(status, [...(found.get(status) ?? []), code])
  }
  return [...found].sort(([a], [b]) => Number(a) - Number(b))
}

function problemContent(status: number, among: readonly Code[]): Described {
  return {
    schema: {
      allOf: [refTo('Problem')],
      properties: { status: { const: status }, code: { enum: among, description: 'The reason, for programs.' } },
    },
    examples: Object.fromEntries(
      among.map((code) => [
        code,
        {
          summary: problems[code].title,
          value: formatProblem({ code, detail: `${problems[code].title}.` }, 'f1b0c0de'),
        },
      ]),
    ),
  }
}

function problemHeaders(status: number): string[] {
  const own: Record<number, string> = {
    401: 'WWW-Authenticate',
    405: 'Allow',
    425: 'Retry-After',
    429: 'Retry-After',
    503: 'Retry-After',
  }
  return ['X-Request-Id', ...(own[status] ? [own[status]] : [])]
}

function headerRefs(names: readonly string[]): Described {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
