import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { formatKey, formatSignature, keyTypes, parseNote, verifyProof } from '@firmquote/verify'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import {
  createLog,
  createNoteSigner,
  runAuction,
  signNote,
  type TestLog,
} from '../../../../packages/verify/test/proofFixture.ts'
import { serveLog } from '../../../../packages/verify/test/serveLog.ts'
import { type CliResult, runCli, startCli } from '../../test/runCli.ts'

useFolder(beforeEach, afterEach)

/** The auctions' mergeBy, in Unix seconds, as the fixture sets it. */
const mergeBy = 1_899_999_975

let log: TestLog
let server: Awaited<ReturnType<typeof serveLog>>
let state: string
let policy: string

beforeEach(async () => {
  log = createLog()
  server = await serveLog(log, log.checkpoint(1_900_000_000))
  state = join(folder, 'state.json')
  policy = join(folder, 'policy.json')
  writeFileSync(policy, JSON.stringify({ log: log.keys[0], witnesses: [log.keys[1]], quorum: 1 }))
})
afterEach(() => server.stop())

const publish = (time = 1_900_000_000) => {
  server.served.note = log.checkpoint(time)
}
const monitor = (...more: string[]): Promise<CliResult> =>
  runCli(['monitor', server.url, '--once', '--json', '--state', state, '--policy', policy, ...more])
const alarmsOf = ({ err }: CliResult) =>
  err
    .split('\n')
    .filter((line) => line.startsWith('{"alarm"'))
    .map((line) => JSON.parse(line).alarm)
const shown = ({ out }: CliResult) => JSON.parse(out.trim().split('\n').at(-1) ?? '')
/** Verifies a saved proof as another person does, who knows the policy's keys. */
const verdictOf = (file: string) =>
  verifyProof(readFileSync(file, 'utf8'), { log: log.log.key, witnesses: [log.witness.key], quorum: 1 })
/** Appends entries of an unknown kind. */
const grow = (count: number, from = 0) => {
  for (let index = 0; index < count; index += 1) log.append(Uint8Array.of(99, index & 255, index >> 8, from))
}

describe('firmquote monitor --once', () => {
  test('default: verifies the log from its last state on', async () => {
    const first = await runAuction(log, [400n])
    first.close()
    grow(600)
    publish()
    const result = await monitor()
    expect([result.code, result.err]).toEqual([0, ''])
    const witnesses = [{ name: log.witness.key.name, time: 1_900_000_000 }]
    expect(shown(result)).toMatchObject({ type: 'checkpoint', data: { size: 603, open: 0, witnesses } })
    expect(statSync(state).mode & 0o777).toBe(0o600)

    const second = await runAuction(log, [390n], { id: 'cd', at: 1_900_000_000_000n })
    second.close()
    publish()
    server.served.requests.length = 0
    expect(shown(await monitor())).toMatchObject({ data: { size: 605, open: 0 } })
    // Earlier bundles of entries are not read again.
    expect(server.served.requests.filter((path) => path.includes('entries'))).toEqual(['/log/1/tile/entries/002.p/93'])
  })

  test('default: text for people', async () => {
    publish()
    const args = ['monitor', `${server.url}/log/1/`, '--once', '--state', state]
    const { code, out, err } = await runCli(args)
    expect(code).toBe(0)
    expect(out).toMatch(/^checkpoint of 1 entries, root 0x[0-9a-f]{64}, 0 auctions open, at .*Z$/m)
    expect(err).toContain(`No policy names the log's key, so the service's is kept: ${log.keys[0]}`)
    expect(err).toContain("No policy names a witness, so times are the log's own.")
  })

  test('error: an auction that is not closed at mergeBy, by the time of the witnesses', async () => {
    const auction = await runAuction(log, [400n])
    // A malformed close does not spoil the proof.
    log.append(Uint8Array.of(2, 1))
    publish(mergeBy - 2)
    await monitor()
    publish(mergeBy - 1)
    const early = await monitor()
    expect([early.code, alarmsOf(early)]).toEqual([0, []])
    publish(mergeBy)
    const late = await monitor()
    expect(late.code).toBe(1)
    const { openIndex: index } = auction
    const file = join(folder, `overdue-${index}.json`)
    const text = `The log does not close the auction ${'ab'.repeat(16)} by ${mergeBy} (Unix seconds). Witnesses cosigned the log at ${mergeBy}.`
    expect(alarmsOf(late)).toEqual([{ code: 'UNCLOSED', publicRfqId: 'ab'.repeat(16), index, text, file }])
    expect(await verdictOf(file)).toMatchObject({ isValid: true, file: { type: 'overdue', from: index } })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    // Each alarm is raised once, also after a restart.
    expect(alarmsOf(await monitor())).toEqual([])
    auction.close()
    publish(mergeBy + 2)
    expect(shown(await monitor())).toMatchObject({ data: { open: 0 } })
  })

  test('error: an auction that was invented after witnesses had seen the log without it', async () => {
    const later = createNoteSigner('w2.example.com', keyTypes.witness)
    const witnesses = [log.keys[1], formatKey(later.key)]
    writeFileSync(policy, JSON.stringify({ log: log.keys[0], witnesses, quorum: 1 }))
    publish()
    await monitor()
    const index = log.entries.length
    const { close } = await runAuction(log, [400n], { at: 1_899_999_939_999n })
    close()
    publish(1_900_000_002)
    // A witness that did not see the earlier checkpoint.
    const { text } = parseNote(server.served.note)
    server.served.note += `${formatSignature(signNote(later, text, 1_900_000_002))}\n`
    const proofs = join(folder, 'new', 'proofs')
    const file = join(proofs, `backdated-${index}.json`)
    const publicRfqId = 'ab'.repeat(16)
    expect(alarmsOf(await monitor('--proofs', proofs))).toMatchObject([{ code: 'BACKDATED', publicRfqId, index, file }])
    const witness = expect.objectContaining({ code: 'witness', time: 1_900_000_000 })
    expect(await verdictOf(file)).toMatchObject({
      ...{ isValid: true, file: { type: 'backdated' } },
      statements: [expect.objectContaining({ code: 'backdated', isProved: true }), witness],
    })
    expect(alarmsOf(await monitor())).toEqual([])
  })

  const proofsOf = (result: CliResult) =>
    alarmsOf(result).map(({ text, file }) => file ?? text.replace(/^.* No proof was saved: /, ''))

  test('error: a log that withholds the entries of a proof', async () => {
    await runAuction(log, [400n])
    publish(mergeBy - 1)
    await monitor()
    publish(mergeBy)
    server.served.intercept = (path, response) => {
      if (path.includes('entries')) response.writeHead(404).end()
      return path.includes('entries')
    }
    expect(proofsOf(await monitor())).toEqual([expect.stringContaining('404')])
  })

  test('behavior: a proof has at most 65,536 entries', async () => {
    await runAuction(log, [400n])
    const { openIndex } = await runAuction(log, [400n], { id: 'cd' })
    grow(65_535)
    publish(mergeBy)
    const file = join(folder, `overdue-${openIndex}.json`)
    expect(proofsOf(await monitor())).toEqual(['the log has too many later entries.', file])
    expect(await verdictOf(file)).toMatchObject({ isValid: true })
  }, 60_000)

  test('behavior: saves at most 100 proofs', async () => {
    const { openIndex } = await runAuction(log, [400n])
    const opening = log.entries[openIndex] as Uint8Array
    for (let index = 0; index < 100; index += 1) log.append(opening.with(1, index))
    publish(mergeBy)
    const proofs = proofsOf(await monitor())
    expect(proofs[99]).toBe(join(folder, `overdue-${openIndex + 99}.json`))
    expect(proofs.slice(100)).toEqual(['there are 100 of this run.'])
  })

  test.each([
    ['other witnesses', [formatKey(createNoteSigner('w2.example.com', keyTypes.witness).key)]],
    ['no witnesses', []],
  ])('behavior: a policy with %s does not count what the last one counted', async (_, witnesses) => {
    const { close: end } = await runAuction(log, [400n], { id: 'cd', at: 1_899_999_999_000n })
    end()
    publish()
    await monitor()
    writeFileSync(policy, JSON.stringify({ log: log.keys[0], witnesses, quorum: 0 }))
    const { close } = await runAuction(log, [400n], { at: 1_899_999_939_999n })
    close()
    publish(1_900_000_002)
    expect((await monitor()).code).toBe(0)
  })

  test('error: a folder of proofs that cannot be created', async () => {
    publish()
    writeFileSync(join(folder, 'file'), '')
    const result = await monitor('--proofs', join(folder, 'file', 'proofs'))
    expect(result).toMatchObject({ code: 2, err: expect.stringContaining('ENOTDIR') })
  })

  test('error: without witnesses, the newest entry gives the time, and the alarm says so', async () => {
    await runAuction(log, [400n])
    publish()
    const run = () => runCli(['monitor', server.url, '--once', '--json', '--state', state])
    expect(alarmsOf(await run())).toEqual([])
    const { close } = await runAuction(log, [400n], { id: 'cd', at: BigInt(mergeBy) * 1_000n })
    close()
    publish()
    const [alarm] = alarmsOf(await run())
    expect(alarm).toMatchObject({ code: 'UNCLOSED', publicRfqId: 'ab'.repeat(16) })
    expect(alarm.text).toContain('No witness is named')
  })

  test('error: a stale log, which is no broken promise', async () => {
    const at = BigInt(Date.now() - 3_600_000)
    await runAuction(log, [400n], { at })
    publish(Number(at / 1_000n) + 20)
    const result = await monitor()
    expect(result.code).toBe(1)
    expect(alarmsOf(result)).toEqual([{ code: 'STALE', text: expect.stringContaining('1 auctions are due') }])
  })

  test('error: a fork, with a proof that anyone can verify', async () => {
    grow(20)
    publish()
    await monitor()
    const honest = log
    log = createLog()
    grow(30, 1)
    server.served.log = log
    publish()
    const result = await monitor()
    expect(result.code).toBe(1)
    const file = join(folder, 'fork-21-31.json')
    expect(alarmsOf(result)).toEqual([{ code: 'FORK', text: expect.any(String), file }])
    const verdict = await verifyProof(readFileSync(file, 'utf8'), { log: honest.log.key })
    expect(verdict).toMatchObject({ isValid: true, file: { type: 'fork' } })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    // The monitor keeps the history that it saw first.
    expect(alarmsOf(await monitor())).toMatchObject([{ code: 'FORK' }])
  })

  test('error: a fork of equal size', async () => {
    grow(20)
    publish()
    await monitor()
    log = createLog()
    grow(20, 1)
    server.served.log = log
    publish()
    expect(alarmsOf(await monitor())).toMatchObject([{ code: 'FORK' }])
  })

  test('behavior: an older checkpoint of the same history is no fork, but one without proof is an alarm', async () => {
    grow(20)
    publish()
    await monitor()
    server.served.note = log.checkpoint(1_900_000_000, 10)
    expect(await monitor()).toMatchObject({ code: 0, err: '' })
    log = createLog()
    grow(5, 1)
    server.served.log = log
    publish()
    expect(alarmsOf(await monitor())).toEqual([
      { code: 'INVALID', text: expect.stringContaining('has signed 21 entries, but now shows 6') },
    ])
  })

  test.each([
    ['a rewritten tile', '/tile/0/000'],
    ['a rewritten entry', '/tile/entries/000'],
    ['a truncated answer', '/tile/entries/000'],
  ])('error: %s', async (what, part) => {
    grow(400)
    publish()
    await monitor()
    grow(400, 1)
    publish()
    let isFalse = true
    server.served.intercept = (path, response) => {
      if (!path.includes(part.replace('000', '001')) || !isFalse) return false
      isFalse = false
      void fetch(`${server.url}${path}`)
        .then((original) => original.arrayBuffer())
        .then((given) => {
          const bytes = Buffer.from(given)
          bytes[5] = (bytes[5] ?? 0) ^ 1
          response.end(what === 'a truncated answer' ? bytes.subarray(3) : bytes)
        })
      return true
    }
    const result = await monitor()
    expect([result.code, isFalse]).toEqual([1, false])
    expect(alarmsOf(result)).toMatchObject([{ code: 'INVALID' }])
    // The honest answer is accepted afterwards.
    expect(await monitor()).toMatchObject({ code: 0, err: '' })
  })

  test('error: an endless answer', async () => {
    grow(3)
    publish()
    server.served.intercept = (path, response) => {
      if (!path.includes('entries')) return false
      const write = () => {
        while (response.write(Buffer.alloc(4_096)));
      }
      response.on('drain', write)
      write()
      return true
    }
    const result = await monitor()
    expect(result.code).toBe(1)
    expect(alarmsOf(result)).toMatchObject([{ code: 'UNREACHABLE', text: expect.stringContaining('more than') }])
  })

  test('error: a service that is down', async () => {
    publish()
    await monitor()
    await server.stop()
    expect(await monitor('--timeout', '0.1')).toMatchObject({ code: 5 })
    expect(await monitor('--timeout', '0')).toMatchObject({ code: 2 })
  })

  test('error: entries that break the rules', async () => {
    const auction = await runAuction(log, [400n])
    log.append(log.entries[auction.openIndex] as Uint8Array)
    auction.close()
    auction.close()
    log.append(Uint8Array.of(1, 2, 3))
    publish()
    const texts = alarmsOf(await monitor()).map(({ code, text }) => `${code} ${text}`)
    expect(texts).toEqual([
      expect.stringMatching(/^RULE Entry 2 opens the auction (?:ab){16} again\.$/),
      expect.stringMatching(/^RULE Entry 4 closes the auction (?:ab){16}, which is not open\.$/),
      'RULE Entry 5 is malformed: The record is too short.',
    ])
  })

  test('error: missing cosignatures', async () => {
    const other = formatKey(createNoteSigner('w2.example.com', keyTypes.witness).key)
    writeFileSync(policy, JSON.stringify({ log: log.keys[0], witnesses: [log.keys[1], other], quorum: 2 }))
    const result = await monitor('--timeout', '0.5')
    expect(result.code).toBe(1)
    expect(alarmsOf(result)).toEqual([
      { code: 'COSIGNATURES', text: expect.stringContaining('Missing: w2.example.com.') },
    ])
  })

  test('error: a damaged state, another log’s state, another key than the policy’s, no URL', async () => {
    await monitor()
    const saved = readFileSync(state, 'utf8')
    for (const damaged of ['', saved.slice(0, -20), saved.replace('"version":1', '"version":2')]) {
      writeFileSync(state, damaged)
      expect(await monitor()).toMatchObject({ code: 2 })
    }
    writeFileSync(state, saved.replace(server.url, 'https://other.example'))
    expect(await monitor()).toMatchObject({ code: 2, err: expect.stringContaining('other.example/log/1') })
    writeFileSync(state, saved)
    writeFileSync(policy, JSON.stringify({ log: formatKey(createNoteSigner(log.origin, keyTypes.log).key) }))
    expect(await monitor()).toMatchObject({ code: 2, err: expect.stringContaining('another log key') })
    expect(await runCli(['monitor', 'nowhere', '--once', '--state', state])).toMatchObject({ code: 2 })
    expect(await runCli(['monitor', server.url, '--once', '--state', join(folder, 'no', 'state')])).toMatchObject({
      code: 2,
    })
  })
})

describe('firmquote monitor', () => {
  test('default: follows the log until it is stopped', async () => {
    publish()
    const run = startCli(['monitor', server.url, '--state', state, '--policy', policy], {})
    await run.says(/checkpoint of 1 entries/)
    const auction = await runAuction(log, [400n])
    auction.close()
    publish()
    await run.says(/checkpoint of 3 entries/)
    run.child.kill('SIGTERM')
    expect(await run.result).toMatchObject({ code: 143 })
    expect(existsSync(state)).toBe(true)
    expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ position: 3, open: [] })
  })
})
