// Tests the log and the proofs of a complete server over HTTP, with the verifier that everyone else uses.

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatReadAuthorization, readAuthTypedData } from '@firmquote/core/protocol'
import type { DevnetAccount } from '@firmquote/devnet'
import {
  createHashReader,
  decodeEntries,
  hashLeaf,
  keyEntry,
  parseKey,
  parseProof,
  rootOf,
  tilePath,
  verifyCheckpoint,
  verifyProof,
} from '@firmquote/verify'
import { describe, expect, test } from '@jest/globals'
import SqliteDatabase from 'better-sqlite3'
import { bytesToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devnet, useDevnet } from '../../../../packages/devnet/test/testDevnet.ts'
import { type RealServer, startRealServer } from '../../test/realServer.ts'
import { createQuote, domainOf, signQuote } from '../../test/signedQuotes.ts'
import { connectBacker } from '../../test/socketClient.ts'
import { waitUntil } from '../../test/waitUntil.ts'

const directory = mkdtempSync(join(tmpdir(), 'firmquote-proofs-'))
const [file, proofKeyFile] = [join(directory, 'firmquote.db'), join(directory, 'proof.key')]
let server: RealServer

const start = () => startRealServer(devnet, { durationMs: 1_500, file, proofKeyFile })
useDevnet(async () => {
  server = await start()
  return async () => {
    await server.close()
    rmSync(directory, { recursive: true, force: true })
  }
})

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}${path}`, { headers })
const json = async (path: string) => (await (await get(path)).json()) as Record<string, unknown>
const logKey = async () => {
  const { proofs } = (await json('/api/v1/config')) as { proofs: { key: string } }
  return parseKey(proofs.key)
}
const checkpointOf = async () =>
  verifyCheckpoint(await (await get('/log/1/checkpoint')).text(), { log: await logKey() })

const bytesOf = (text: string) => Buffer.from(text, 'base64')

/** Runs an auction in which these makers quote, and returns its ids. */
async function runAuction(makers: readonly DevnetAccount[]) {
  const lines = await Promise.all(
    makers.map(({ privateKey }) => connectBacker(server.wsUrl, privateKeyToAccount(privateKey))),
  )
  const [pool] = devnet.pools
  const asked = fetch(`${server.api}/rfq/quote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ poolId: pool.poolId, seriesKey: pool.series[1]?.seriesKey, notional: '2000000000' }),
  })
  let publicRfqId = ''
  for (const [index, line] of lines.entries()) {
    const maker = makers[index] as DevnetAccount
    publicRfqId = (await line.next('rfq')).rfqId
    const terms = { notional: 2_000_000_000n, vrtAmount: BigInt(9_000_000 - index) }
    const quote = await signQuote(maker, domainOf(devnet), createQuote(devnet, maker, terms))
    line.send({ type: 'quote', rfqId: publicRfqId, quote })
    expect(await line.next('quote_ack')).toMatchObject({ status: 'accepted' })
  }
  const open = await json(`/api/v1/log/auctions/${publicRfqId}`)
  const result = (await (await asked).json()) as { rfqId: string }
  expect(result).toMatchObject({ status: 'closed' })
  const { rfqId } = result
  await Promise.all(lines.map((line) => line.end()))
  return { rfqId, publicRfqId, open }
}

/** Reads the proof once it is ready. */
async function proofOf(path: string, headers?: () => Promise<Record<string, string>>): Promise<string> {
  let text = ''
  await waitUntil(async () => {
    const answer = await get(path, await headers?.())
    text = await answer.text()
    if (answer.status === 425) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    else expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
    return answer.status === 200
  })
  return text
}

async function authorizationOf({ address, privateKey }: DevnetAccount): Promise<Record<string, string>> {
  const nonce = bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
  const audience = `ws://localhost:${server.port}/ws/rfq`
  const auth = { backer: address, audience, nonce, timestamp: Math.floor(Date.now() / 1_000) }
  const typedData = readAuthTypedData({ ...auth, ...domainOf(devnet) })
  const signature = await privateKeyToAccount(privateKey).signTypedData(typedData)
  return { authorization: formatReadAuthorization({ ...auth, signature }) }
}

describe('provable auctions', () => {
  test('default: the borrower and each maker can prove a closed auction; a restart continues the log', async () => {
    const makers = devnet.backers.slice(0, 2)
    const first = await runAuction(makers)
    const proof = await proofOf(`/api/v1/rfq/${first.rfqId}/proof`)
    const verdict = await verifyProof(proof, { log: await logKey() })
    expect(verdict).toMatchObject({ isValid: true })
    expect(verdict.isValid && verdict.statements.filter(({ isProved }) => isProved)).toHaveLength(3)
    const before = await checkpointOf()

    await server.close()
    server = await start()
    expect(await checkpointOf()).toMatchObject({ size: before.size, root: before.root })
    expect((await checkpointOf()).note).toEqual(before.note)
    // Everything but the checkpoint is reproduced from the rows.
    expect(await proofOf(`/api/v1/rfq/${first.rfqId}/proof`)).toBe(proof)
    const second = await runAuction([makers[0] as DevnetAccount])
    expect(await verifyProof(await proofOf(`/api/v1/rfq/${second.rfqId}/proof`))).toMatchObject({ isValid: true })

    for (const maker of makers) {
      const text = await proofOf(`/api/v1/maker/proofs?publicRfqId=${first.publicRfqId}`, () => authorizationOf(maker))
      const own = await verifyProof(text, { log: await logKey() })
      expect(own).toMatchObject({ isValid: true, file: { type: 'quote' } })
      expect(own.isValid && own.statements[0]?.text).toContain(maker.address.toLowerCase())
    }
    const other = await get(
      `/api/v1/maker/proofs?publicRfqId=${second.publicRfqId}`,
      await authorizationOf(makers[1] as DevnetAccount),
    )
    expect(await other.json()).toMatchObject({ code: 'QUOTE_NOT_FOUND' })
    expect((await get(`/api/v1/maker/proofs?publicRfqId=${first.publicRfqId}`)).status).toBe(401)

    const file = parseProof(proof)
    const leaves = await json(`/api/v1/log/auctions/${first.publicRfqId}`)
    expect(first.open).toMatchObject({ publicRfqId: first.publicRfqId, close: null, hashes: [] })
    const open = Number(leaves['open'])
    expect(leaves).toMatchObject({ publicRfqId: first.publicRfqId, open: expect.any(Number), close: open + 1 })
    const opened = file.type === 'auction' ? file.leaves : []
    const hashes = opened.map(({ salt, record }) => hashLeaf(Buffer.concat([salt, record].map(bytesOf))))
    expect(leaves['hashes']).toEqual(hashes.map((hash) => Buffer.from(hash).toString('base64')))
  })

  test('behavior: checkpoint, tiles and entries match, and every published size is consistent', async () => {
    const older = await checkpointOf()
    await runAuction([devnet.backers[0]])
    await waitUntil(async () => (await checkpointOf()).size > older.size + 1)
    const newer = await checkpointOf()
    const tile = async (path: string) => new Uint8Array(await (await get(`/log/1/${path}`)).arrayBuffer())
    const width = newer.size
    const bundle = await tile(tilePath({ level: 'entries', index: 0, width }))
    const hashes = decodeEntries(bundle, width).map(hashLeaf)
    expect(rootOf(hashes)).toEqual(newer.root)
    expect(rootOf(hashes.slice(0, older.size))).toEqual(older.root)
    // The tile of an earlier size is still served.
    expect(await tile(tilePath({ level: 0, index: 0, width: older.size }))).toEqual(
      new Uint8Array(Buffer.concat(hashes.slice(0, older.size))),
    )
    const reader = createHashReader(width, (one) => tile(tilePath(one)))
    expect(await reader.root(width)).toEqual(newer.root)
    const [key] = decodeEntries(bundle, width)
    expect(key?.[0]).toBe(keyEntry.kind)
    const { proofs } = (await json('/api/v1/config')) as { proofs: { signers: string[] } }
    expect(bytesToHex(key?.subarray(1, 21) ?? new Uint8Array())).toBe(proofs.signers[0]?.toLowerCase())
  })

  test('behavior: config, log and health describe the log', async () => {
    const { size, root } = await checkpointOf()
    const config = await json('/api/v1/config')
    const origin = 'rfq.example.com/log/1'
    const signers = [expect.stringMatching(/^0x[0-9a-fA-F]{40}$/)]
    expect(config['proofs']).toEqual({ origin, url: '/log/1', key: expect.any(String), signers, promiseSeconds: 60 })
    const publishedAt = expect.any(Number)
    expect(await json('/log')).toEqual({
      logs: [
        {
          ...{ origin, url: '/log/1', key: (config['proofs'] as { key: string }).key, size, publishedAt },
          ...{ root: Buffer.from(root).toString('base64'), cosigners: [] },
        },
      ],
    })
    expect((await json('/api/v1/health'))['log']).toEqual({ size, publishedAt })
    const metrics = await (await get('/metrics')).text()
    expect(metrics).toContain(`firmquote_proof_log_entries ${size}\n`)
    expect(metrics).toMatch(/^firmquote_proof_log_checkpoint_age_seconds \d/m)
    expect(metrics).toContain('firmquote_proof_log_waiting_entries 0\n')
  })

  test.each([
    ['/log/1/checkpoint', 'text/plain; charset=utf-8', 'public, max-age=1'],
    ['/log/1/tile/0/000.p/1', 'application/octet-stream', 'public, max-age=31536000, immutable'],
    ['/log/1/tile/entries/000.p/1', 'application/octet-stream', 'public, max-age=31536000, immutable'],
  ])('behavior: any site may read %s', async (path, type, cache) => {
    const { status, headers } = await get(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(type)
    expect(headers.get('cache-control')).toBe(cache)
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  test.each([
    ['a wider tile than the tree has', '/log/1/tile/0/000', 404],
    ['a level that the tree does not have', '/log/1/tile/1/000.p/1', 404],
    ['an index beyond the tree', '/log/1/tile/0/001.p/1', 404],
    ['a path that is not canonical', '/log/1/tile/0/0.p/1', 404],
    ['more entries than the tree has', '/log/1/tile/entries/000.p/255', 404],
    ['another log', '/log/2/checkpoint', 404],
    ['a query', '/log/1/checkpoint?a=1', 400],
    ['an unknown auction', `/api/v1/log/auctions/${'0'.repeat(32)}`, 404],
    ["an unknown auction's proof", `/api/v1/rfq/${'0'.repeat(32)}/proof`, 404],
  ])('error: %s', async (_, path, status) => {
    const answer = await get(path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      status,
      'application/problem+json; charset=utf-8',
    ])
  })

  test('error: no proof if somebody changes a row', async () => {
    const { rfqId } = await runAuction([devnet.backers[0]])
    const proof = await proofOf(`/api/v1/rfq/${rfqId}/proof`)
    const database = new SqliteDatabase(file)
    const rows = {
      'quotes.body': `replace(body, '"signature":"0x', '"signature":"0x00')`,
      'auction_quotes.arrival': 'arrival + 1',
      'auction_proofs.secret': 'randomblob(32)',
      // The first byte of a time, which is 0.
      'auction_proofs.closing': `cast(substr(closing, 1, 1) || x'01' || substr(closing, 3) as blob)`,
      'log_tiles.hashes': 'cast(substr(hashes, 1, 32) || randomblob(length(hashes) - 32) as blob)',
    }
    for (const [place, change] of Object.entries(rows)) {
      const [table = '', column = ''] = place.split('.')
      database.exec(`create temp table kept as select rowid as id, ${column} as value from ${table}`)
      database.exec(`update ${table} set ${column} = ${change}`)
      const answer = await get(`/api/v1/rfq/${rfqId}/proof`)
      expect([place, answer.status, await answer.json()]).toMatchObject([place, 500, { code: 'INTERNAL' }])
      database.exec(
        `update ${table} set ${column} = (select value from kept where id = ${table}.rowid); drop table kept`,
      )
    }
    database.close()
    expect(await proofOf(`/api/v1/rfq/${rfqId}/proof`)).toBe(proof)
  })

  test('behavior: the key file is private, never logged, and needed for the log', async () => {
    expect(statSync(proofKeyFile).mode & 0o777).toBe(0o600)
    const text = readFileSync(proofKeyFile, 'utf8')
    const secrets = Object.values(JSON.parse(text) as Record<string, string>)
    expect(secrets).toHaveLength(2)
    for (const secret of secrets) expect(JSON.stringify(server.logs)).not.toContain(secret.slice(2))
    await server.close()
    rmSync(proofKeyFile)
    await expect(start()).rejects.toThrow(`The key file ${proofKeyFile} does not exist.`)
    writeFileSync(proofKeyFile, JSON.stringify({ log: secrets[1], receipts: secrets[0] }), { mode: 0o600 })
    await expect(start()).rejects.toThrow(
      `The key file ${proofKeyFile} is not the one of the log rfq.example.com/log/1; restore that file, or set PROOFS=off.`,
    )
    writeFileSync(proofKeyFile, text, { mode: 0o600 })
    server = await start()
  })

  test('behavior: with PROOFS=off, nothing of the log is served, and new auctions are not added to it', async () => {
    const [{ size }, { rfqId }] = [await checkpointOf(), await runAuction([])]
    await proofOf(`/api/v1/rfq/${rfqId}/proof`)
    await server.close()
    server = await startRealServer(devnet, { durationMs: 1_500, file })
    expect(await json('/api/v1/config')).not.toHaveProperty('proofs')
    expect(await json('/api/v1/health')).not.toHaveProperty('log')
    const next = await runAuction([])
    for (const path of ['/log', '/log/1/checkpoint', `/api/v1/rfq/${next.rfqId}/proof`]) {
      expect([path, (await get(path)).status]).toEqual([path, 404])
    }
    await server.close()
    server = await start()
    expect((await checkpointOf()).size).toBe(size + 2)
    expect(await (await get(`/api/v1/rfq/${next.rfqId}/proof`)).json()).toMatchObject({ code: 'RFQ_NOT_FOUND' })
  })
})
