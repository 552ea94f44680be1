#!/usr/bin/env node
// Prints the lines of product code and of tests of every package at a git ref: node scripts/countLines.mjs [ref]
import { execFileSync } from 'node:child_process'

const [ref = 'HEAD'] = process.argv.slice(2)
const git = (...args) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28 })

const code = /\.(?:ts|tsx|mjs|cjs|js|c|sol|css|html)$/
const generated = /(?:^|\/)(?:generated|dist|artifacts|report)\//
const test = /\.(?:test|trial|testing)(?:-d)?\.tsx?$|(?:^|\/)(?:testing|test)\/|^packages\/(?:testing|e2e)\//

const sums = new Map()
for (const entry of git('ls-tree', '-r', '-z', '--format=%(objectname) %(path)', ref).split('\0')) {
  const [, object, path] = /^(\w+) (.*)$/.exec(entry) ?? []
  if (!path || !code.test(path) || generated.test(path)) continue
  const name = /^(?:packages|apps)\/[^/]+/.exec(path)?.[0] ?? 'root and scripts'
  const sum = sums.get(name) ?? { product: 0, tests: 0 }
  sum[test.test(path) ? 'tests' : 'product'] += git('cat-file', 'blob', object).split('\n').length - 1
  sums.set(name, sum)
}

const rows = [...sums].sort(([a], [b]) => a.localeCompare(b))
const total = (kind) => rows.reduce((sum, [, one]) => sum + one[kind], 0)
rows.push(['all', { product: total('product'), tests: total('tests') }])
console.log(`| ${git('rev-parse', '--short', ref).trim()} | product | tests |\n|---|---|---|`)
for (const [name, { product, tests }] of rows) console.log(`| ${name} | ${product} | ${tests} |`)
