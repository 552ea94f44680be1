import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** A workflow of GitHub's, as far as it is looked at here. */
type Workflow = { permissions?: unknown; jobs: Record<string, Job> }
type Job = { permissions?: Record<string, string>; steps?: Step[]; uses?: string; environment?: string }
type Step = { uses?: string; run?: string; with?: Record<string, unknown>; shell?: string }

/** The job that may have an identity token, with which npm lets it publish. */
const publisher = 'publish'

/** Every `run` of a workflow, by its job. */
export function scriptsOf(text: string): { job: string; script: string }[] {
  return stepsOf(text).flatMap(([job, { run }]) => (run === undefined ? [] : [{ job, script: run }]))
}

/**
 * What a workflow does that none of ours may, a sentence each; none is fine. What GitHub's syntax forbids is actionlint's to find.
 *
 * @param root the repository, whose scripts and files it names
 */
export function judgeWorkflow(text: string, root: string): string[] {
  const { permissions, jobs } = parse(text) as Workflow
  const none = typeof permissions === 'object' && permissions !== null && Object.keys(permissions).length === 0
  return [
    ...(none ? [] : ['permissions must be {}: each job names its own.']),
    ...Object.entries(jobs).flatMap(([name, job]) => judgePermissions(name, job)),
    ...stepsOf(text).flatMap(([name, step]) => judgeStep(step, root).map((sentence) => `${name}: ${sentence}`)),
    ...[...text.matchAll(/uses: *(?!\.\/)(\S+)(.*)$/gm)].flatMap(([, action = '', rest = '']) =>
      /@[0-9a-f]{40}$/.test(action) && /^ # v\d+\.\d+\.\d+$/.test(rest)
        ? []
        : [`${action} needs a commit, and its version behind it.`],
    ),
    ...[...text.matchAll(/\bsecrets\b/g)].map(() => 'secrets: no job needs any, github.token is enough.'),
  ]
}

function stepsOf(text: string): [string, Step][] {
  const { jobs } = parse(text) as Workflow
  return Object.entries(jobs).flatMap(([name, { steps = [] }]) => steps.map((step): [string, Step] => [name, step]))
}

function judgePermissions(name: string, { permissions, environment }: Job): string[] {
  if (permissions === undefined || typeof permissions !== 'object') return [`${name}: permissions must be named.`]
  const hasToken = permissions['id-token'] === 'write'
  const others = Object.entries(permissions).filter(([scope, level]) => scope !== 'id-token' && level === 'write')
  return [
    ...(hasToken && name !== publisher ? [`${name}: only ${publisher} may have an identity token.`] : []),
    ...(hasToken && others.length > 0 ? [`${name}: with an identity token it may write nothing else.`] : []),
    ...(name === publisher && environment === undefined
      ? [`${name}: needs an environment, which its owner can guard.`]
      : []),
  ]
}

function judgeStep({ uses, run, with: options }: Step, root: string): string[] {
  if (uses?.startsWith('actions/checkout@') && options?.['persist-credentials'] !== false)
    return ['a checkout must not leave its credentials.']
  if (run === undefined) return []
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const commands = [...run.matchAll(/\bnpm run (\S+)(.*)$/gm)]
    .filter(([, name = '', rest = '']) => !(name in scripts) && !rest.includes('--if-present'))
    .map(([, name]) => `there is no npm run ${name}.`)
  const files = [...run.matchAll(/(?:^|\s)((?:scripts|\.ci|apps|packages)\/[\w./-]+)/gm)]
    .filter(([, file = '']) => !existsSync(join(root, file)))
    .map(([, file]) => `there is no ${file}.`)
  // What others may write, such as a title, would be run as a part of the script.
  const injected = run.includes('${{') ? ['an expression in a script: pass it by env.'] : []
  return [...commands, ...files, ...injected]
}
