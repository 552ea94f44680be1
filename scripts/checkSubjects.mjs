// Checks the subjects of new commits. Part of `npm run check`. CONTRIBUTING.md defines the rule.
import { execFileSync } from 'node:child_process'
import { basename } from 'node:path'

/** The last commit before the rule for subjects was introduced. */
const before = 'fb045b9a'
// In a GitHub Actions container, the checkout belongs to a different user.
const git = (/** @type {string[]} */ ...args) =>
  execFileSync('git', ['-c', 'safe.directory=*', ...args], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)

/**
 * Commit areas that are not folder names. Each folder's name in kebab case (`node-runtime`) is also an area, which
 * covers the packages.
 */
const areas = new Set(['test', 'docs', 'build', 'ci', 'deps'])
for (const folder of git('ls-tree', '-r', '-d', '--name-only', 'HEAD')) {
  areas.add(basename(folder).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
}

/** Whether a commit's subject has the form `area: change`, with one or more comma-separated areas. */
export function isSubject(/** @type {string} */ subject) {
  const [, named = ''] = /^([a-z0-9-]+(?:, [a-z0-9-]+)*): \S.*[^.\s]$/.exec(subject) ?? []
  return subject.length <= 72 && named.split(', ').every((area) => areas.has(area))
}

if (import.meta.main) {
  const { GITHUB_BASE_REF: base } = process.env
  const start = base ? `origin/${base}` : before
  // A shallow clone does not contain older commits.
  const range = git('rev-parse', '--is-shallow-repository')[0] === 'true' ? ['--max-count=1'] : [`${start}..HEAD`]
  const subjects = git('log', '--no-merges', '--format=%s', ...range)
  const wrong = subjects.filter((subject) => !isSubject(subject))
  for (const subject of wrong) console.log(`"${subject}" must be "area: change", at most 72 characters.`)
  process.exitCode = wrong.length === 0 ? 0 : 1
}
