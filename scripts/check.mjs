// Runs all checks that do not run the product. A failed check does not stop the other checks.
import { spawnSync } from 'node:child_process'
import { appendFileSync, globSync } from 'node:fs'

const sources = globSync([
  '{packages,apps,tests}/*/src',
  '{packages,apps}/*/test',
  'bench/src',
  'examples/*/{src,*.mjs,*.js}',
])

const checks = [
  ['format and lint', 'biome', ['ci', '--colors=off', '--error-on-warnings', '.']],
  // Running `tsc` twice rather than once per package shares the parsed files.
  ['types', 'tsc', ['--project', 'scripts/types/node.json']],
  ['types for browsers', 'tsc', ['--project', 'scripts/types/browser.json']],
  ['types of a dapp, against the built packages', 'tsc', ['--project', 'examples/dapp', '--noEmit']],
  ['types of the comparison', 'tsc', ['--project', 'tests/comparison']],
  ['dependency rules', 'depcruise', ['--config', '.dependency-cruiser.mjs', ...sources]],
  ['dead code', 'knip', []],
  ['generated code', 'pnpm', ['--recursive', '--sort', 'run', 'generate', '--check']],
  ['bundle sizes', 'pnpm', ['--filter', '@firmquote/e2e', 'exec', 'size-limit']],
  ['commit subjects', process.execPath, ['scripts/checkSubjects.mjs']],
  ['release metadata', process.execPath, ['scripts/checkRelease.mjs']],
  ['packed tarballs', process.execPath, ['tests/e2e/scripts/checkPackages.ts']],
]

let failed = 0
for (const [title, file, args] of checks) {
  const started = performance.now()
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    maxBuffer: 1 << 26,
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${title} (${seconds} s)`)
  if (status === 0) continue
  failed += 1
  console.log(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`)
}
console.log(`Checks: ${checks.length - failed} passed, ${failed} failed`)
// `.ci/run` sets this.
const { FIRMQUOTE_COUNTS: counts } = process.env
if (counts) appendFileSync(counts, `${checks.length - failed} ${failed} 0\n`)
process.exitCode = failed === 0 ? 0 : 1
