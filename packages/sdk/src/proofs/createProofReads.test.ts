import { parseReadAuthorization } from '@firmquote/core/protocol'
import { sendJson, sendProblem, startHttpServer } from '@firmquote/test-support/httpServer'
import { afterEach, describe, expect, test } from '@jest/globals'
import { key, maker, publicRfqId, quoteMarket } from '../../test/samples.ts'
import { InvalidResponseError, SignerError } from '../errors.ts'
import { ServiceClient } from '../serviceClient.ts'
import { createProofReads } from './createProofReads.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function start(answer: Parameters<typeof startHttpServer>[0], url?: string) {
  const server = await startHttpServer(answer)
  closers.push(server.close)
  const client = new ServiceClient({ orderbookUrl: url ?? server.url, quoteMarketAddress: quoteMarket })
  client.setPrivateKey(key)
  return { server, reads: createProofReads(client, { timeoutMs: 2_000 }) }
}

const auction = { publicRfqId, open: 1, close: null, hashes: [] }

describe('createProofReads', () => {
  test('default: reads an auction without, and a proof with an authorization', async () => {
    const { server, reads } = await start(({ path }, response) =>
      path.includes('/log/')
        ? sendJson(response, 200, auction)
        : void response.writeHead(200).end('{"type":"quote"}\n'),
    )
    expect(await reads.readAuction(publicRfqId)).toEqual({ open: 1, close: null, hashes: [] })
    // The text stays as it is, because a proof has one encoding.
    expect(await reads.readProof(publicRfqId)).toBe('{"type":"quote"}\n')
    expect(server.seen.map(({ path }) => path)).toEqual([
      `/api/v1/log/auctions/${publicRfqId}`,
      `/api/v1/maker/proofs?publicRfqId=${publicRfqId}`,
    ])
    const [first, second] = server.seen.map(({ headers }) => headers.authorization)
    expect([first, parseReadAuthorization(second ?? '')]).toMatchObject([undefined, { backer: maker }])
  })

  test.each([
    ['an index that is no number', { ...auction, close: '7' }],
    ['a negative index', { ...auction, open: -1 }],
    ['hashes that are no texts', { ...auction, hashes: [1] }],
    ['no list', null],
  ])('error: %s', async (_, body) => {
    const { reads } = await start((_request, response) => sendJson(response, 200, body))
    await expect(reads.readAuction(publicRfqId)).rejects.toThrow(InvalidResponseError)
  })

  test('error: a proof of more than 64 kB', async () => {
    let size = 65_536
    const { reads } = await start((_request, response) => void response.writeHead(200).end('a'.repeat(size)))
    expect(await reads.readProof(publicRfqId)).toHaveLength(size)
    size += 1
    await expect(reads.readProof(publicRfqId)).rejects.toThrow('more than 65536 bytes')
  })

  test('behavior: signs again after a rejection', async () => {
    const { server, reads } = await start((_request, response) => sendProblem(response, 401, 'UNAUTHENTICATED'))
    for (let call = 0; call < 2; call += 1)
      await expect(reads.readProof(publicRfqId)).rejects.toThrow(InvalidResponseError)
    expect(new Set(server.seen.map(({ headers }) => headers.authorization)).size).toBe(2)
  })

  test('error: signs nothing for an unencrypted service elsewhere', async () => {
    const { reads } = await start((_request, response) => void response.end(), 'http://rfq.example.com')
    await expect(reads.readProof(publicRfqId)).rejects.toThrow(SignerError)
  })
})
