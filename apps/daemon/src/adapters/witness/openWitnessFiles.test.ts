import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createWitness } from '@firmquote/sdk/proofs'
import { startProgram } from '@firmquote/test-support/startProgram'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import {
  checkpointText,
  consistencyPath,
  formatKey,
  formatNote,
  hashLeaf,
  keyTypes,
  rootOf,
  toBase64,
  verifyCosignature,
} from '@firmquote/verify'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createNoteSigner, signNote } from '../../../../../packages/verify/test/proofFixture.ts'
import { openWitnessFiles } from './openWitnessFiles.ts'

const witnessProcess = fileURLToPath(new URL('../../../test/witnessProcess.ts', import.meta.url))
const origin = 'rfq.example.com/log/1'
const log = createNoteSigner(origin, keyTypes.log)
const leavesOf = (size: number, name = '') =>
  Array.from({ length: size }, (_, at) => hashLeaf(new TextEncoder().encode(`${name}${at}`)))
const trunk = leavesOf(9)
const branch = [...trunk.slice(0, 3), ...leavesOf(6, 'other')]
const offer = (leaves: readonly Uint8Array[], from: number) => {
  const text = checkpointText({ origin, size: leaves.length, root: rootOf(leaves) })
  const note = formatNote({ text, signatures: [signNote(log, text)] })
  return { note, from, path: consistencyPath(leaves, from).map(toBase64) }
}
const unread = { root: async () => rootOf([]), consistencyPath: async () => [] }

beforeEach(() =>
  useFolder(
    (run) => run(),
    () => {},
  ),
)
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a witness that fails at a file operation, sends it checkpoints, and returns its answers. */
async function runProcess(fault: { kind: 'kill' | 'full'; at: number }, offers: readonly object[]) {
  const program = startProgram(witnessProcess, [folder, formatKey(log.key), fault.kind, String(fault.at)], {})
  for (const one of offers) program.child.stdin.write(`${JSON.stringify(one)}\n`)
  program.child.stdin.end()
  let output = ''
  program.child.stdout.on('data', (data) => {
    output += String(data)
  })
  await program.ended
  const answers = output.split('\n').filter((line) => line !== '')
  return { answers: answers.map((line) => JSON.parse(line) as Record<string, unknown>), child: program.child }
}

describe('openWitnessFiles', () => {
  test('default: creates a key once, keeps the state, and shows neither to others', async () => {
    const first = await openWitnessFiles(folder, undefined)
    expect(first.key).toMatchObject({ name: expect.stringMatching(/^firmquote-daemon\/[0-9a-f]{16}$/), type: 4 })
    await first.store.write(origin, { key: formatKey(log.key), note: offer(trunk, 0).note })
    first.close()
    const second = await openWitnessFiles(folder, 'maker.example.com/w1')
    expect(second.key).toEqual({ ...first.key, name: 'maker.example.com/w1' })
    expect(await second.store.read(origin)).toEqual({ key: formatKey(log.key), note: offer(trunk, 0).note })
    expect(await second.store.read('toString')).toBeNull()
    second.close()
    const modes = readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)])
    expect(Object.fromEntries(modes)).toMatchObject({ 'witness.key': '600', 'witness.json': '600' })
  })

  test('behavior: kill -9 at any point never makes it sign two histories', async () => {
    const unsigned: number[] = []
    for (let at = 1; ; at += 1) {
      const before = await runProcess({ kind: 'kill', at: 0 }, [offer(trunk.slice(0, 5), 0)])
      expect(before.answers).toMatchObject([{ size: 0 }, { type: 'cosignature', size: 5 }])
      const killed = await runProcess({ kind: 'kill', at }, [offer(trunk, 5)])
      const [, signed] = killed.answers
      // The log now shows another history of the same size.
      const after = await runProcess({ kind: 'kill', at: 0 }, [offer([...trunk.slice(0, 5), ...leavesOf(4, 'x')], 5)])
      const [hello, other] = after.answers
      if (signed) {
        expect([hello, other]).toMatchObject([{ size: 9 }, { alarm: 'LOG_FORKED' }])
        expect(killed.child.signalCode).toBeNull()
        break
      }
      expect(killed.child.signalCode).toBe('SIGKILL')
      unsigned.push(hello?.['size'] as number)
      // Either it has stored the first history, or nothing of it.
      if (hello?.['size'] === 9) expect(other).toMatchObject({ alarm: 'LOG_FORKED' })
      else expect([hello, other]).toMatchObject([{ size: 5 }, { type: 'cosignature', size: 9 }])
      rmSync(join(folder, 'witness.json'))
      rmSync(join(folder, 'witness.key'))
    }
    // It was killed before, while and after it wrote.
    expect(unsigned.length).toBeGreaterThanOrEqual(6)
    expect(new Set(unsigned)).toEqual(new Set([5, 9]))
  }, 120_000)

  test('error: a full disk at any point signs nothing, and the next checkpoint is signed', async () => {
    for (let at = 1; ; at += 1) {
      const { answers } = await runProcess({ kind: 'full', at }, [offer(trunk, 0), offer(trunk, 0)])
      const [, first, second] = answers
      if (first?.['type'] === 'cosignature') {
        expect(at).toBeGreaterThan(6)
        break
      }
      expect([first, second]).toMatchObject([{ error: 'no space left on device' }, { type: 'cosignature', size: 9 }])
      rmSync(join(folder, 'witness.json'))
      rmSync(join(folder, 'witness.key'))
    }
  }, 120_000)

  test('error: refuses a folder that another process uses', async () => {
    const { close } = await openWitnessFiles(folder, undefined)
    await expect(openWitnessFiles(folder, undefined)).rejects.toThrow(`process ${process.pid}`)
    close()
    ;(await openWitnessFiles(folder, undefined)).close()
  })

  test('error: refuses to start without its state, or with files that others can read or have changed', async () => {
    const { close } = await openWitnessFiles(folder, undefined)
    close()
    const [key, state] = [join(folder, 'witness.key'), join(folder, 'witness.json')]
    const refusal = () =>
      openWitnessFiles(folder, undefined).then(
        (files) => files.close(),
        (error: Error) => error.message,
      )
    chmodSync(key, 0o644)
    expect(await refusal()).toContain('accessible to other users')
    chmodSync(key, 0o600)
    const content = readFileSync(key, 'utf8')
    writeFileSync(key, 'x')
    expect(await refusal()).toContain('is malformed')
    writeFileSync(key, content)
    const other = { key: formatKey({ ...log.key, name: 'other' }), note: offer(trunk, 0).note }
    for (const wrong of ['', '{}', JSON.stringify({ version: 1, logs: { [origin]: other } })]) {
      writeFileSync(state, wrong)
      expect(await refusal()).toContain('is malformed')
    }
    rmSync(state)
    expect(await refusal()).toContain('is missing')
    rmSync(key)
    expect(await refusal()).toBeUndefined()
  })

  test('behavior: signs with its key, and saves one proof of each log', async () => {
    const files = await openWitnessFiles(folder, 'maker.example.com/w1')
    const witness = createWitness({ ...files, onAlarm() {} })
    const session = await witness.open({ key: formatKey(log.key), reader: unread })
    const answer = await session?.answer(offer(branch, 0))
    if (answer?.type !== 'cosignature') throw new TypeError('it was not signed')
    const text = checkpointText({ origin, size: 9, root: rootOf(branch) })
    expect(await verifyCosignature(text, answer.signature, files.key)).toBeGreaterThan(1_700_000_000)
    const path = await files.saveProof(origin, 'first')
    expect(await files.saveProof(origin, 'second')).toBe(path)
    expect([readFileSync(path, 'utf8'), (statSync(path).mode & 0o777).toString(8)]).toEqual(['second', '600'])
    files.close()
  })

  test('error: a service cannot make it remember any number of logs', async () => {
    const { store, close } = await openWitnessFiles(folder, undefined)
    const { note } = offer(trunk, 0)
    for (let at = 0; at < 100; at += 1) await store.write(`log ${at}`, { key: 'k', note })
    await store.write('log 5', { key: 'k', note })
    await expect(store.write('log 100', { key: 'k', note })).rejects.toThrow('already knows 100 logs')
    close()
  })
})
