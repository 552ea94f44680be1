import { expect, test } from '@jest/globals'
import { type Hex, zeroAddress } from 'viem'
import { createRandom, createWorld, limit, maxTakes, notional } from '../../test/jobWorld.ts'
import { createJob, type Job, type JobEvent, type JobPlan, type JobStep, stepJob } from './job.ts'
import { decodeJob } from './storedJob.ts'

const histories = Number(process.env['ROUNDS'] ?? 1) * 1_000
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))

test('behavior: random histories take no quote twice and nothing above the request or the limit', () => {
  const pairs = new Set<string>()
  const ends: Record<string, number> = {}
  const onStep = ({ phase }: Job, { type }: JobEvent) => pairs.add(`${phase.name} ${type}`)
  for (let history = seed; history < seed + histories; history += 1) {
    const world = createWorld(createRandom(history), onStep)
    for (let acts = 0; acts < 150; acts += 1) world.act()
    const job = world.finish()
    const fixed = world.taken.reduce((sum, fill) => sum + fill.notional, 0n)
    const end = job.phase.name === 'stopped' ? `stopped: ${job.phase.reason}` : job.phase.name
    ends[end] = (ends[end] ?? 0) + 1
    expect({
      history,
      isFinished: end === 'done' || end === 'stopped: nothing',
      isWithinRequest: fixed <= notional && world.taken.length <= maxTakes,
      isWithinLimit: world.taken.every((fill) => fill.cost * notional <= limit * fill.notional),
      taken: job.taken.map(({ hash }) => hash).sort(),
    }).toEqual({
      ...{ history, isFinished: true, isWithinRequest: true, isWithinLimit: true },
      taken: world.taken.map(({ hash }) => hash).sort(),
    })
  }
  process.stdout.write(`seed ${seed}: ${pairs.size} pairs of phase and event; ends ${JSON.stringify(ends)}\n`)
  expect(ends['done']).toBeGreaterThan(histories / 2)
  expect(pairs.size).toBeGreaterThan(80)
})

test('error: an earlier reading does not replace a later one', () => {
  const plan = { block: 1n, forms: [], limit, refused: [] }
  const given = { id: '1', account: zeroAddress, chainId: 1, notional, limit, maxTakes }
  const first = stepJob(createJob(given), { type: 'pressed' }).job
  const failed = stepJob(first, { type: 'planFailed', reading: first.readings }).job
  const second = stepJob(failed, { type: 'pressed' }).job
  const stale = stepJob(second, { type: 'planned', reading: first.readings, plan: { ...plan, stop: 'nothing' } })
  expect(stale.job.phase).toEqual({ name: 'planning', reads: 'plan' })
  const { job } = stepJob(second, { type: 'planned', reading: second.readings, plan: { ...plan, stop: 'balance' } })
  expect(job.phase).toEqual({ name: 'stopped', reason: 'balance' })
})

/** Applies events to a job that takes two quotes, after a press and a plan for the first. */
function play(...events: JobEvent[]): JobStep {
  const given = { id: '1', account: zeroAddress, chainId: 1, notional, limit, maxTakes }
  const start = stepJob(createJob(given), { type: 'pressed' })
  const asked = stepJob(start.job, { type: 'planned', reading: 1, plan: planOf('0x01') })
  return events.reduce((step, event) => stepJob(step.job, event), asked)
}
const half = (hash: Hex) => ({ hash, notional: notional / 2n, cost: 1n, byKey: true, since: 1n })
function planOf(hash: Hex): JobPlan {
  const quotes = [{ ...half(hash), notional }]
  return { block: 1n, forms: [{ kind: 'take', quotes }], stop: null, limit, refused: [] }
}
const openRead: JobEvent = { type: 'outcomeRead', fills: [], gone: [], block: 1n }

test('behavior: an outcome that arrives while a press plans does not end the run', () => {
  const { job } = play({ type: 'refused', number: 1 }, { type: 'pressed' }, openRead)
  expect(job).toMatchObject({ phase: { name: 'planning', reads: 'plan' }, isRunning: true })
  const { effects } = stepJob(job, { type: 'planned', reading: 2, plan: planOf('0x01') })
  expect(effects).toMatchObject([{ type: 'persist' }, { type: 'ask' }])
})

test('behavior: if one of two open quotes is gone while a press plans, it plans again for the other', () => {
  const both: JobPlan = { ...planOf('0x01'), forms: [{ kind: 'batch', quotes: [half('0x01'), half('0x02')] }] }
  const refused = play({ type: 'wouldRevert', number: 1 }, { type: 'planned', reading: 2, plan: both })
  const events: JobEvent[] = [
    { type: 'refused', number: 2 },
    { type: 'pressed' },
    { type: 'outcomeRead', fills: [], gone: ['0x02'], block: 1n },
  ]
  const step = events.reduce((last, event) => stepJob(last.job, event), refused)
  expect(step.effects).toMatchObject([{ type: 'persist' }, { type: 'readPlan', only: ['0x01'] }])
  expect(step.job.isRunning).toBe(true)
})

test('behavior: after a refusal, a press may choose another quote, but not after silence or a failure', () => {
  const only = (how: JobEvent, chosen?: readonly Hex[]) =>
    play(how, openRead, { type: 'pressed', ...(chosen && { chosen }) }).effects.flatMap((effect) =>
      effect.type === 'readPlan' ? [effect.only] : [],
    )
  expect(only({ type: 'refused', number: 1 }, ['0x02'])).toEqual([null])
  expect(only({ type: 'refused', number: 1 }, ['0x01'])).toEqual([['0x01']])
  expect(only({ type: 'refused', number: 1 })).toEqual([['0x01']])
  expect(only({ type: 'failed', number: 1 }, ['0x02'])).toEqual([['0x01']])
  expect(only({ type: 'gaveUp' }, ['0x02'])).toEqual([['0x01']])
  // The first of the two requests may still be sent.
  const twice = play({ type: 'gaveUp' }, { type: 'pressed' }, { type: 'planned', reading: 2, plan: planOf('0x01') })
  const { job } = stepJob(twice.job, { type: 'refused', number: 2 })
  expect(stepJob(job, { type: 'pressed', chosen: ['0x02'] }).effects).toMatchObject([
    { type: 'readPlan', only: ['0x01'] },
  ])
})

test('behavior: a reset forgets how a request ended, but neither a pending one nor one with an unknown outcome', () => {
  const reset = (...events: JobEvent[]) => stepJob(play(...events).job, { type: 'reset' }).job
  const open = [{ hash: '0x01' }]
  expect(reset()).toMatchObject({ attempt: { number: 1 }, isRunning: true })
  expect(reset({ type: 'gaveUp' }, openRead)).toMatchObject({ last: { how: 'silent' }, open })
  expect(reset({ type: 'failed', number: 1 }, openRead)).toMatchObject({ last: { how: 'failed' }, open })
  // A refused quote stays open, but its request has ended.
  expect(reset({ type: 'refused', number: 1 }, openRead)).toMatchObject({ last: null, open })
  const gone: JobEvent = { type: 'outcomeRead', fills: [], gone: ['0x01'], block: 1n }
  expect(reset({ type: 'failed', number: 1 }, gone)).toMatchObject({ last: null, open: [] })
  const stopped: JobEvent = { type: 'planned', reading: 2, plan: { block: 1n, forms: [], stop: 'nothing' } }
  expect(reset({ type: 'wouldRevert', number: 1 }, stopped)).toMatchObject({ last: null, phase: { name: 'ready' } })

  // No quote is open, but the permission may still be granted.
  const given = { id: '1', account: zeroAddress, chainId: 1, notional, limit, maxTakes }
  const plan: JobPlan = { block: 1n, forms: [{ kind: 'approve', quotes: [] }], stop: null, limit }
  const approving: JobEvent[] = [
    { type: 'pressed' },
    { type: 'planned', reading: 1, plan },
    { type: 'failed', number: 1 },
    { type: 'reset' },
  ]
  const { last } = approving.reduce((job, event) => stepJob(job, event).job, createJob(given))
  expect(last).toMatchObject({ how: 'failed' })
})

test('behavior: a press agrees to new terms and retries chosen quotes, except while the wallet is asked', () => {
  const terms = { notional: 2n * notional, limit: 2n * limit, maxTakes: 4 }
  expect(play({ type: 'pressed', terms }).job).toMatchObject({ notional, limit, maxTakes })
  const dead = play({ type: 'wouldRevert', number: 1 })
  expect(dead.job.gaveUp).toEqual(['0x01'])
  const stopped = stepJob(dead.job, { type: 'planFailed', reading: 2 }).job
  expect(stepJob(stopped, { type: 'pressed', terms, chosen: ['0x01'] }).job).toMatchObject({ ...terms, gaveUp: [] })
})

test('error: a stored job of another version, or a damaged one, is not restored', () => {
  for (const text of [null, '', '{', '{"version":2}', 'null']) expect(decodeJob(text)).toBeNull()
})
