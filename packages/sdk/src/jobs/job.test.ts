import { expect, test } from '@jest/globals'
import { zeroAddress } from 'viem'
import { createRandom, createWorld, limit, maxTakes, notional } from '../../test/jobWorld.ts'
import { createJob, type Job, type JobEvent, stepJob } from './job.ts'
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
      permissions: job.permissions,
    }).toEqual({
      ...{ history, isFinished: true, isWithinRequest: true, isWithinLimit: true },
      taken: world.taken.map(({ hash }) => hash).sort(),
      permissions: world.permissions(),
    })
  }
  process.stdout.write(`seed ${seed}: ${pairs.size} pairs of phase and event; ends ${JSON.stringify(ends)}\n`)
  expect(ends['done']).toBeGreaterThan(histories / 2)
  expect(pairs.size).toBeGreaterThan(85)
})

test('error: an earlier reading does not replace a later one', () => {
  const plan = { block: 1n, forms: [], limit, refused: [], permissions: null }
  const given = { id: '1', account: zeroAddress, chainId: 1, notional, limit, maxTakes }
  const first = stepJob(createJob(given), { type: 'started' }).job
  const second = stepJob(first, { type: 'started' }).job
  const stale = stepJob(second, { type: 'planned', reading: first.readings, plan: { ...plan, stop: 'nothing' } })
  expect(stale.job.phase).toEqual({ name: 'planning' })
  const { job } = stepJob(second, { type: 'planned', reading: second.readings, plan: { ...plan, stop: 'balance' } })
  expect(job.phase).toEqual({ name: 'stopped', reason: 'balance' })
})

test('error: a stored job of another version, or a damaged one, is not restored', () => {
  for (const text of [null, '', '{', '{"version":2}', 'null']) expect(decodeJob(text)).toBeNull()
})
