import { asyncApiDocument } from '../../server/src/entry/http/description/asyncApi.ts'
import type { Page } from './page.ts'
import { fieldsOf, jsonBlock, type Schema, schemaSections, typeOf } from './schemaTables.ts'

type Message = { payload: Schema; summary: string; examples?: { payload: unknown }[] }
type Document = {
  channels: Record<'backers' | 'stream', { address: string; description: string; messages: Record<string, Message> }>
  operations: Record<string, { action: 'send' | 'receive'; messages: { $ref: string }[] }>
  components: { schemas: Record<string, Schema> }
}

/**
 * The reference for the makers' WebSocket and the borrowers' event stream, generated from the service's AsyncAPI
 * document.
 */
export function socketPage(): Page {
  const document = asyncApiDocument({ version: 'v1', audience: 'wss://rfq.example.com/ws/rfq' }) as unknown as Document
  const { channels, operations, components } = document
  const received = new Set(
    Object.values(operations)
      .filter(({ action }) => action === 'receive')
      .flatMap(({ messages }) => messages.map(({ $ref }) => $ref.split('/').at(-1))),
  )
  const messages = Object.entries(channels.backers.messages)
  const markdown = [
    '# Socket reference',
    'Every service also publishes this reference as AsyncAPI 3.0 at `/asyncapi.json`. For the order of messages, authentication and close codes, see [the protocol](/reference/protocol#6-the-backer-socket-wsrfq).',
    "## The market makers' socket",
    `\`${channels.backers.address}\``,
    '### What a market maker sends',
    ...messages.filter(([name]) => received.has(name)).map((one) => describeMessage('sent', ...one)),
    '### What the service sends',
    ...messages.filter(([name]) => !received.has(name)).map((one) => describeMessage('received', ...one)),
    '### Rules of the socket',
    channels.backers.description,
    '## The stream of an auction',
    `\`GET ${channels.stream.address}\``,
    ...Object.entries(channels.stream.messages).map((one) => describeMessage('event', ...one)),
    '### Rules of the stream',
    channels.stream.description,
    '## Shapes',
    schemaSections(components.schemas),
  ].join('\n\n')
  return {
    path: 'reference/socket.md',
    title: 'Socket reference',
    description: "All messages on the market makers' socket and all events in an auction's stream.",
    order: 11,
    markdown,
  }
}

function describeMessage(
  kind: 'sent' | 'received' | 'event',
  name: string,
  { payload, summary, examples }: Message,
): string {
  const fields = payload.$ref === undefined ? fieldsOf(payload) : `${typeOf(payload)}.`
  const [example] = examples ?? []
  return [
    `#### \`${name}\` {#${kind}-${name.replaceAll('_', '-')}}`,
    summary,
    fields,
    ...(example ? [jsonBlock(example.payload)] : []),
  ].join('\n\n')
}
