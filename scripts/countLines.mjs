#!/usr/bin/env node
// Prints each package's lines of code at a git ref, by kind: node scripts/countLines.mjs [ref]
import { execFileSync } from 'node:child_process'

const [ref = 'HEAD'] = process.argv.slice(2)
const git = (...args) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28 })

const code = /\.(?:ts|tsx|mjs|cjs|js|c|sql|sol|css|html|sh|py|go)$/
const generated = /(?:^|\/)(?:generated|dist|artifacts|report)\//

/**
 * Path patterns by kind. The first match counts. Some patterns match the repository's old layout, which had no tests/
 * or bench/.
 */
const kinds = {
  tests: /\.test(?:-d)?\.tsx?$/,
  trials: /\.trial\.tsx?$/,
  bench: /^(?:packages\/)?bench\//,
  simulator: /^(?:packages|tests)\/simulator\//,
  cluster: /^packages\/cluster\//,
  support: /^tests\/|^packages\/(?:testing|e2e)\/|^(?:packages|apps)\/[^/]+\/test\/|\.testing\.tsx?$|\/testing\//,
  scripts: /^scripts\/|^\.ci\/|^[^/]+$/,
  product: /./,
}

const rows = new Map()
for (const entry of git('ls-tree', '-r', '-z', '--format=%(objectname) %(path)', ref).split('\0')) {
  const [, object, path] = /^(\w+) (.*)$/.exec(entry) ?? []
  if (!path || !code.test(path) || generated.test(path)) continue
  const [kind] = Object.entries(kinds).find(([, pattern]) => pattern.test(path))
  const name = /^(?:packages|apps|tests|examples)\/[^/]+|^bench/.exec(path)?.[0] ?? 'root and scripts'
  const row = rows.get(name) ?? {}
  row[kind] = (row[kind] ?? 0) + git('cat-file', 'blob', object).split('\n').length - 1
  rows.set(name, row)
}

const names = Object.keys(kinds)
const all = Object.fromEntries(
  names.map((kind) => [kind, [...rows.values()].reduce((sum, row) => sum + (row[kind] ?? 0), 0)]),
)
console.log(
  `| ${git('rev-parse', '--short', ref).trim()} | ${names.join(' | ')} |\n|---${'|---'.repeat(names.length)}|`,
)
for (const [name, row] of [...[...rows].sort(([a], [b]) => a.localeCompare(b)), ['all', all]]) {
  console.log(`| ${name} | ${names.map((kind) => row[kind] ?? '').join(' | ')} |`)
}
const scaffolding = all.support + all.simulator + all.bench + all.cluster + all.scripts
console.log(`\nScaffolding: ${scaffolding}. With tests and trials: ${scaffolding + all.tests + all.trials}.`)
