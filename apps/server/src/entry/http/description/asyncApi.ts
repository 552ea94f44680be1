import { endpoints } from '@firmquote/core/endpoints'
import { componentSchemas, type JsonSchema, namedSchema, type SchemaName, schemaOf } from './componentSchemas.ts'
import { socketExamples, streamExamples } from './messageExamples.ts'

type Described = Record<string, unknown>
type Message = { payload: JsonSchema; summary: string; examples: readonly object[] }

/** Writes the backer socket and the auction's stream down as AsyncAPI 3.0. `audience` is the socket's public URL. */
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
          'JSON text frames of at most 16 KiB. The server sends a challenge, the backer signs it, and then receives every auction. An `id` in a message is repeated in its answer. Close codes 4400, 4401 and 4403 are final; after 4429 wait a minute.',
        messages: { ...received, ...sent },
        bindings: { ws: { method: 'GET' } },
      },
      stream: {
        address: '/api/v1/rfq/{rfqId}/stream',
        parameters: { rfqId: { description: "The borrower's id of the auction." } },
        servers: [{ $ref: '#/servers/http' }],
        description:
          'Server-sent events, of which `/openapi.json` describes the requests: `POST /rfq/quote/stream` opens an auction and answers with the same events. `event` names the message, `id` is `<rfqId>:<n>`, `data` is one line of JSON; a comment comes every five seconds. With the header `Last-Event-ID` the stream goes on behind that event.',
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
        "The messages between backers and the service, and the events of a borrower's stream. `/openapi.json` describes the rest.",
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

/** The answers to each message of a backer. */
const answers: Record<string, string[]> = {
  auth: ['authenticated', 'auth_failed'],
  quote: ['quote_ack', 'error'],
  resume: ['quote_status', 'resumed'],
  ping: ['pong'],
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
  auth: 'The answer to the challenge; one attempt per socket.',
  quote: 'A signed quote for an open auction; one is accepted, after at most three attempts.',
  decline: 'No quote will come. Optional.',
  resume: 'Asks for the `quote_status` messages that were missed.',
  ping: 'Checks the connection.',
  auth_challenge: 'The first message on every socket.',
  authenticated: 'The backer is authenticated; `openRfqs` has the auctions that are still open.',
  auth_failed: 'The backer is not authenticated; the socket closes.',
  rfq: 'An auction has opened. Its id is the public one.',
  quote_ack: 'The verdict on a quote; `accepted` is sent once it is on disk.',
  auction_result: "An auction has closed; `own` is this backer's place.",
  auction_distance: 'How far a quote was from the best one; for makers with means, a minute after the close.',
  quote_status: "What has become of one of the maker's quotes on the chain.",
  resumed: 'What `resume` has asked for was sent.',
  pong: 'The answer to a ping.',
  error: 'A message could not be read; the third one closes the socket.',
}

/** Takes a schema of one message or of several alternatives apart: the messages by their `type`. */
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

/** The `type` that a schema's messages have; those of several alternatives have the same one. */
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
