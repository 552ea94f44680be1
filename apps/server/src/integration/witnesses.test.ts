// A server in a process of its own, with a maker's witness on its socket and an HTTP witness of the operator.

import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { until } from '@firmquote/test-support/until'
import {
  formatKey,
  formatSignature,
  fromBase64,
  keyTypes,
  type NoteKey,
  parseCheckpoint,
  parseKey,
  parseNote,
  verifyCheckpoint,
  verifyConsistency,
  verifyProof,
} from '@firmquote/verify'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { createNoteSigner, signNote } from '../../../../packages/verify/test/proofFixture.ts'
import { startHttpWitness } from '../../test/httpWitness.ts'
import { listenForTest } from '../../test/listenForTest.ts'
import { createScriptedService, testDomain } from '../../test/scriptedService.ts'
import { connectBacker } from '../../test/socketClient.ts'

const own = createNoteSigner('maker.example.com/w1', keyTypes.witness)
let stack: Stack
let http: Awaited<ReturnType<typeof startHttpWitness>>
let log: NoteKey

beforeAll(async () => {
  http = await startHttpWitness(async () => log)
  stack = await startStack(
    { AUCTION_DURATION_MS: '1000', WITNESSES: `${formatKey(http.key)}@${http.url}` },
    { by: 'one' },
  )
  const { proofs } = (await json('/api/v1/config')) as { proofs: { key: string } }
  log = parseKey(proofs.key)
}, 60_000)
afterAll(async () => {
  await stack?.stop()
  await http?.stop()
})

const json = async (path: string) => (await fetch(`${stack.url}${path}`)).json() as Promise<unknown>
const note = async () => (await fetch(`${stack.url}/log/1/checkpoint`)).text()
const connect = (maker = stack.devnet.backers[0]) =>
  connectBacker(`${stack.url.replace('http', 'ws')}/ws/rfq`, privateKeyToAccount(maker.privateKey))
const sizeOf = (text: string) => parseCheckpoint(parseNote(text).text).size
const lineOf = (text: string, time = Math.floor(Date.now() / 1_000)) =>
  formatSignature(signNote(own, parseNote(text).text, time))

/** Runs an auction without quotes, which adds two entries to the log, and returns its id. */
async function runAuction(): Promise<string> {
  const answer = await fetch(`${stack.url}/api/v1/rfq/quote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...stack.series, notional: '1000000000' }),
  })
  return ((await answer.json()) as { rfqId: string }).rfqId
}

describe('witnesses', () => {
  test('default: a maker and an HTTP service cosign the published checkpoint, and proofs have their signatures', async () => {
    const line = await connect()
    line.send({ type: 'witness', key: formatKey(own.key), size: 0 })
    let offered = await line.next('checkpoint')
    expect(offered).toMatchObject({ from: 0, path: [] })
    const rfqId = await runAuction()
    // Nothing more is sent until the witness answers.
    line.send({ type: 'cosignature', size: sizeOf(offered.note), signature: lineOf(offered.note) })
    let last = parseCheckpoint(parseNote(offered.note).text)
    const policy = { log, witnesses: [own.key, http.key], quorum: 2 }
    let proof = ''
    for (let isProved = false; !isProved; ) {
      offered = await line.next('checkpoint')
      const newest = await verifyCheckpoint(offered.note, { log })
      const path = offered.path.map((hash) => fromBase64(hash, 'A hash'))
      expect(offered.from).toBe(last.size)
      verifyConsistency(last, newest, path)
      line.send({ type: 'cosignature', size: newest.size, signature: lineOf(offered.note) })
      await until(async () => sizeOf(await note()) > newest.size || (await note()).includes(own.key.name))
      last = newest
      proof = await (await fetch(`${stack.url}/api/v1/rfq/${rfqId}/proof`)).text()
      isProved = (await verifyProof(proof, policy)).isValid
    }
    expect(await verifyProof(proof, policy)).toMatchObject({ isValid: true })
    expect(JSON.parse(proof).keys).toHaveLength(3)

    const now = Date.now() / 1_000
    const cosigned = await verifyCheckpoint(await note(), policy)
    for (const { time } of cosigned.witnesses) expect(Math.abs(time - now)).toBeLessThan(60)
    const { logs } = (await json('/log')) as { logs: { size: number; cosigners: { key: string }[] }[] }
    expect(logs[0]?.size).toBe(cosigned.size)
    expect(logs[0]?.cosigners.map(({ key }) => key).sort()).toEqual([formatKey(own.key), formatKey(http.key)].sort())
    const metrics = await (await fetch(`${stack.url}/metrics`)).text()
    expect(metrics).toContain('\nfirmquote_proof_log_witnesses 2\n')
    await line.end()
    await until(async () =>
      /\nfirmquote_proof_log_witnesses 1\n/.test(await (await fetch(`${stack.url}/metrics`)).text()),
    )
  }, 60_000)

  test('error: wrong keys and signatures are refused with the reason, and the connection stays open', async () => {
    const line = await connect(stack.devnet.backers[1])
    const refusal = async (message: object) => {
      line.send({ ...message, id: '7' })
      const { id, code, message: text } = await line.next('error')
      expect(id).toBe('7')
      return [code, text]
    }
    const signature = lineOf(await note())
    expect(await refusal({ type: 'cosignature', size: 1, signature })).toEqual([
      'INVALID_REQUEST',
      'This connection has no witness.',
    ])
    expect(await refusal({ type: 'witness', key: 'w1', size: 0 })).toEqual([
      'INVALID_REQUEST',
      expect.stringMatching(/not of the form/),
    ])
    expect(await refusal({ type: 'witness', key: formatKey(log), size: 0 })).toEqual([
      'INVALID_REQUEST',
      expect.stringMatching(/is a log's/),
    ])
    const named = createNoteSigner(http.key.name, keyTypes.witness)
    expect(await refusal({ type: 'witness', key: formatKey(named.key), size: 0 })).toEqual([
      'INVALID_REQUEST',
      expect.stringMatching(/Choose another name/),
    ])
    line.send({ type: 'witness', key: formatKey(own.key), size: 0 })
    const offered = await line.next('checkpoint')
    expect(await refusal({ type: 'witness', key: formatKey(named.key), size: 0 })).toEqual([
      'INVALID_REQUEST',
      expect.stringMatching(/another witness/),
    ])
    const size = sizeOf(offered.note)
    const wrong = lineOf(offered.note.replace(`\n${size}\n`, `\n${size + 1}\n`))
    expect(await refusal({ type: 'cosignature', size, signature: wrong })).toEqual([
      'INVALID_REQUEST',
      expect.stringMatching(/is wrong/),
    ])
    expect(await refusal({ type: 'cosignature', size, signature: lineOf(offered.note, 1_000) })).toEqual([
      'INVALID_REQUEST',
      expect.stringMatching(/clock/),
    ])
    // After a signature of another time, the server asks again.
    const again = await line.next('checkpoint')
    line.send({ type: 'cosignature', size: sizeOf(again.note), signature: lineOf(again.note) })
    await until(async () => (await note()).includes(own.key.name))
    await line.end()
  })

  test('behavior: a service without a log says so', async () => {
    const server = await listenForTest({ ...createScriptedService(), domain: testDomain })
    const line = await connectBacker(server.wsUrl, privateKeyToAccount(stack.devnet.backers[0].privateKey))
    line.send({ type: 'witness', key: formatKey(own.key), size: 0 })
    expect(await line.next('error')).toMatchObject({ code: 'NOT_FOUND', message: 'This service keeps no log.' })
    await line.end()
    await server.close()
  })
})
