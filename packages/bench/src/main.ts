// `npm run bench`: what Firmquote exists for, against a named rival in the same run. Ratios travel between machines,
// rates do not.
import { cpus } from 'node:os'
import { Bench } from 'tinybench'
import { createCases } from './cases.ts'
import { measureRpcRequests } from './rpcRequests.ts'

const rounds = 5
const roundMs = 300

const [cpu] = cpus()
console.log(`Node ${process.version}, ${cpus().length} x ${cpu?.model ?? 'unknown'}, ${rounds} rounds, medians\n`)
console.log('| what | rival | ratio (min to max) | ours per second |')
console.log('|---|---|---|---|')
for (const { name, rival, ours, theirs } of await createCases()) {
  const results: { ratio: number; rate: number }[] = []
  // Rounds take turns, so that a machine that slows down slows both.
  for (let round = 0; round < rounds; round += 1) {
    const bench = new Bench({ time: roundMs, warmupTime: round === 0 ? 100 : 0 })
    bench.add('ours', ours).add('theirs', theirs)
    const [own, other] = (await bench.run()).map(({ result }) => {
      if (result.state !== 'completed') throw new TypeError(`${name}: ${result.state}`)
      return result.throughput.mean
    })
    if (own === undefined || other === undefined) throw new TypeError(`${name} was not measured`)
    results.push({ ratio: own / other, rate: own })
  }
  results.sort((a, b) => a.ratio - b.ratio)
  const [low, middle, high] = [results[0], results[Math.floor(rounds / 2)], results[rounds - 1]]
  if (!low || !middle || !high) throw new TypeError(`${name} was not measured`)
  const spread = `${low.ratio.toFixed(2)} to ${high.ratio.toFixed(2)}`
  console.log(`| ${name} | ${rival} | ${middle.ratio.toFixed(2)} (${spread}) | ${Math.round(middle.rate)} |`)
}

console.log(
  '\nRequests to the node for quotes that are published at the same block, counted before a real devnet, medians\n',
)
console.log('| quotes | at the same time | one after another | last answer after (ms) |')
console.log('|---|---|---|---|')
for (const { quotes, together, alone, milliseconds } of await measureRpcRequests([1, 10, 100], rounds)) {
  console.log(`| ${quotes} | ${together} | ${alone} | ${Math.round(milliseconds)} |`)
}
