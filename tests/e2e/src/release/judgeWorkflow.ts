import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from '../pack.ts'

/** The parts of a GitHub workflow that are judged here. */
type Workflow = { permissions?: object; jobs: Record<string, Job> }
type Job = { permissions?: Record<string, string>; steps?: Step[]; environment?: string }
type Step = { uses?: string; run?: string; with?: Record<string, unknown> }

/** The job that may have an identity token, with which npm lets it publish. */
const publisher = 'publish'

export function readWorkflow(name: string): string {
  return readFileSync(join(root, '.github/workflows', name), 'utf8')
}

/** Every `run` of a workflow, by its job. */
export function scriptsOf(text: string): { job: string; script: string }[] {
  return stepsOf(text).flatMap(([job, { run }]) => (run === undefined ? [] : [{ job, script: run }]))
}

/** Breaches of our rules for workflows, a sentence each. actionlint checks GitHub's syntax. */
export function judgeWorkflow(text: string): string[] {
  const { permissions, jobs } = parse(text) as Workflow
  return [
    ...(JSON.stringify(permissions) === '{}' ? [] : ['permissions must be {}: each job names its own.']),
    ...Object.entries(jobs).flatMap(([name, job]) => judgePermissions(name, job)),
    ...stepsOf(text).flatMap(([name, step]) => judgeStep(step).map((sentence) => `${name}: ${sentence}`)),
    ...[...text.matchAll(/uses: *(?!\.\/)(\S+)(.*)$/gm)]
      .filter(([, action = '', rest = '']) => !/@[0-9a-f]{40}$/.test(action) || !/^ # v\d+\.\d+\.\d+$/.test(rest))
      .map(([, action]) => `${action} needs a commit, and its version after it.`),
    ...(/\bsecrets\b/.test(text) ? ['secrets: github.token suffices.'] : []),
  ]
}

function stepsOf(text: string): [string, Step][] {
  const { jobs } = parse(text) as Workflow
  return Object.entries(jobs).flatMap(([name, { steps = [] }]) => steps.map((step): [string, Step] => [name, step]))
}

function judgePermissions(name: string, { permissions, environment }: Job): string[] {
  if (!permissions) return [`${name}: permissions must be named.`]
  const hasToken = permissions['id-token'] === 'write'
  const writes = Object.values(permissions).filter((level) => level === 'write')
  return [
    ...(hasToken && name !== publisher ? [`${name}: only ${publisher} may have an identity token.`] : []),
    ...(hasToken && writes.length > 1 ? [`${name}: with an identity token it may write nothing else.`] : []),
    ...(name === publisher && !environment ? [`${name}: needs an environment, which its owner can guard.`] : []),
  ]
}

function judgeStep({ uses, run = '', with: options }: Step): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const commands = [...run.matchAll(/\bnpm run (\S+)(.*)$/gm)].filter(
    ([, name = '', rest = '']) => !(name in scripts) && !rest.includes('--if-present'),
  )
  const files = [...run.matchAll(/(?:^|\s)((?:scripts|\.ci|apps|packages)\/[\w./-]+)/gm)].filter(
    ([, file = '']) => !existsSync(join(root, file)),
  )
  return [
    ...(uses?.startsWith('actions/checkout@') && options?.['persist-credentials'] !== false
      ? ['a checkout must not leave its credentials.']
      : []),
    ...commands.map(([, name]) => `there is no npm run ${name}.`),
    ...files.map(([, file]) => `there is no ${file}.`),
    // A title that anyone may write would run as a part of the script.
    ...(run.includes('${{') ? ['an expression in a script: pass it by env.'] : []),
  ]
}
