import { endpoints } from '@firmquote/core/endpoints'
import { componentSchemas, type JsonSchema, namedSchema, type SchemaName, schemaOf } from './componentSchemas.ts'
import { socketExamples, streamExamples } from './messageExamples.ts'

type Described = Record<string, unknown>
type Message = { payload: JsonSchema; summary: string; examples: readonly object[] }

/** Describes the backer socket and auctions' event streams in AsyncAPI 3.0. `audience` is the socket's public URL. */
export function asyncApiDocument({ version, audience }: { version: string; audience: string }): Described {
  const { host, protocol } = new URL(audience)
  const secure = protocol === 'wss:'
  const received = { ...messagesOf('AuthMessage'), ...messagesOf('ClientMessage') }
  const sent = messagesOf('ServerMessage')
  const body = {
    channels: {
      backers: {
        address: '/ws/rfq',
        servers: [{ $ref: '#/servers/socket' }],
        description:
          'JSON text frames of at most 16 KiB. The server sends a challenge. A backer that signs it receives every RFQ. A reply repeats the `id` of the message it answers. Do not reconnect after the close codes 4400, 4401 and 4403. After 4423, wait until the ban ends. After 4429, wait a minute.',
        messages: { ...received, ...sent },
        bindings: { ws: { method: 'GET' } },
      },
      stream: {
        address: '/api/v1/rfq/{rfqId}/stream',
        parameters: { rfqId: { description: "The auction's private ID, which only the borrower receives." } },
        servers: [{ $ref: '#/servers/http' }],
        description:
          'Server-sent events. `/openapi.json` describes the requests; `POST /rfq/quote/stream` opens an auction and returns the same events. `event` is the message name, `id` is `<rfqId>:<n>` (`progress` has none), and `data` is one line of JSON. A comment is sent every five seconds. With the `Last-Event-ID` header, the stream resumes after that event.',
        messages: streamMessages,
      },
    },
    operations: {
      ...Object.fromEntries(
        Object.keys(received).map((name) => [
          `receive_${name}`,
          operation(
            'receive',
            'backers',
            [name],
            answers[name]?.map((answer) => pointer('backers', answer)),
          ),
        ]),
      ),
      ...Object.fromEntries(Object.keys(sent).map((name) => [`send_${name}`, operation('send', 'backers', [name])])),
      streamAuction: operation('send', 'stream', Object.keys(streamMessages)),
    },
  }
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Firmquote sockets and streams',
      version,
      description:
        "Messages between backers and the service, and the events of a borrower's stream. `/openapi.json` describes the other endpoints.",
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    servers: {
      socket: { host, protocol: secure ? 'wss' : 'ws', description: 'Backers connect here.' },
      http: { host, protocol: secure ? 'https' : 'http', description: 'Borrowers send requests here.' },
    },
    ...body,
    components: { schemas: componentSchemas(body) },
  }
}

const pointer = (channel: string, message: string) => ({ $ref: `#/channels/${channel}/messages/${message}` })

function operation(
  action: 'send' | 'receive',
  channel: string,
  messages: readonly string[],
  replies?: readonly Described[],
): Described {
  return {
    action,
    channel: { $ref: `#/channels/${channel}` },
    messages: messages.map((name) => pointer(channel, name)),
    ...(replies && { reply: { channel: { $ref: `#/channels/${channel}` }, messages: replies } }),
  }
}

/** The replies to each of a backer's messages. */
const answers: Record<string, string[]> = {
  auth: ['authenticated', 'auth_failed'],
  quote: ['quote_ack', 'receipt', 'error'],
  resume: ['quote_status', 'resumed'],
  ping: ['pong'],
  witness: ['checkpoint', 'error'],
  cosignature: ['checkpoint', 'error'],
}

const streamMessages = named(
  Object.fromEntries(
    Object.entries(endpoints.streamQuotes.answers[200].events).map(([name, { shape, summary }]) => [
      name,
      { payload: schemaOf(shape), summary, examples: streamExamples[name] ?? [] },
    ]),
  ),
)

const summaries: Record<string, string> = {
  auth: 'Answers the challenge. One attempt per socket.',
  quote: 'Submits a signed quote for an open auction. A backer has three attempts, and one quote is accepted.',
  decline: 'Declines to quote. Optional.',
  resume: 'Requests missed `quote_status` messages.',
  ping: 'Checks the connection.',
  witness: "Registers a witness of the service's log.",
  cosignature: "A witness's signature of a checkpoint.",
  auth_challenge: 'First message on every socket.',
  authenticated: 'The backer has been authenticated. `openRfqs` lists the auctions that the backer can still answer.',
  auth_failed: 'Authentication failed. The socket closes.',
  rfq: 'An auction was opened. `rfqId` is its public ID.',
  quote_ack: 'The verdict on a quote. `accepted` is sent after the quote has been stored.',
  receipt: "The signed receipt for a quote's verdict. Only for backers that connected with `?receipts=1`.",
  auction_result: "An auction has closed. `own` is this backer's result.",
  auction_distance: 'How far a quote was from the best one. Sent to makers with funds a minute after the close.',
  quote_status: "An on-chain status update for one of the maker's quotes.",
  resumed: 'All messages requested by `resume` have been sent.',
  checkpoint: 'A checkpoint of the log, for a witness.',
  pong: 'Answers a ping.',
  error: 'A message was malformed. The third such message closes the socket.',
}

/** Splits a schema into its messages, keyed by their `type`. */
function messagesOf(name: SchemaName): Record<string, Described> {
  const schema = namedSchema(name)
  const variants = (schema['oneOf'] ?? schema['anyOf'] ?? [schema]) as JsonSchema[]
  const byType = new Map<string, JsonSchema[]>()
  for (const variant of variants) byType.set(typeOf(variant), [...(byType.get(typeOf(variant)) ?? []), variant])
  return named(
    Object.fromEntries(
      [...byType].map(([type, payloads]) => [
        type,
        {
          payload: payloads.length > 1 ? { anyOf: payloads } : (payloads[0] ?? {}),
          summary: summaries[type] ?? '',
          examples: socketExamples[type] ?? [],
        },
      ]),
    ),
  )
}

/** The `type` values of a schema's messages. All alternatives share it. */
function typeOf({ $ref, properties, allOf, oneOf, anyOf }: JsonSchema): string {
  if (typeof $ref === 'string') return typeOf(namedSchema($ref.split('/').at(-1) as SchemaName))
  const own = (properties as { type?: { const?: string } } | undefined)?.type?.const
  const parts = (allOf ?? oneOf ?? anyOf ?? []) as JsonSchema[]
  return own ?? parts.map(typeOf).find((type) => type !== '') ?? ''
}

function named(messages: Record<string, Message>): Record<string, Described> {
  return Object.fromEntries(
    Object.entries(messages).map(([name, { examples, ...message }]) => [
      name,
      { name, ...message, examples: examples.map((payload) => ({ payload })) },
    ]),
  )
}
