import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

// Pages in `apps/docs` link to each other by site path. `docsSite.trial.ts` checks these links.
const documents = globSync(['*.md', 'docs/**/*.md', '{apps,packages,examples,tests}/*/*.md', 'bench/*.md'], {
  cwd: root,
  exclude: ['apps/docs/**'],
}).sort()

/** Returns the anchors that GitHub generates for a document's headings. */
function anchorsOf(path: string): string[] {
  const headings = textOf(path).matchAll(/^#+ (.+)$/gm)
  return [...headings].map(([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test('behavior: there are documents', () => {
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'docs/architecture.md', 'docs/protocol.md']))
})

test.each(documents)('behavior: every link in %s has a target', (document) => {
  const prose = textOf(document).replaceAll(/```.*?```/gs, '')
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  const broken = links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? document : relative(root, join(root, dirname(document), path))
    if (!existsSync(join(root, target))) return true
    return anchor !== undefined && !anchorsOf(target).includes(anchor)
  })
  expect(broken).toEqual([])
})

test('behavior: the list of decisions contains every page, in order, with its title', () => {
  const pages = readdirSync(join(root, 'docs/decisions')).filter((name) => /^\d{4}-.*\.md$/.test(name))
  const rows = pages.sort().map((name) => {
    const [, title] = /^# (.+)\n/.exec(textOf(`docs/decisions/${name}`)) ?? []
    return `| [${name.slice(0, 4)}](${name}) | ${title} |`
  })
  expect(rows.length).toBeGreaterThan(10)
  expect(textOf('docs/decisions/README.md')).toContain(rows.join('\n'))
})

test('behavior: every decision states its context, the decision and its consequences', () => {
  for (const path of documents.filter((name) => /^docs\/decisions\/\d{4}/.test(name))) {
    const headings = [...textOf(path).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
    const required = headings.filter((heading) => heading !== 'Rejected')
    expect([path, ...required]).toEqual([path, 'Context', 'Decision', 'Consequences'])
  }
})

test('behavior: docs/architecture.md mentions every package and every folder of the server', () => {
  const architecture = textOf('docs/architecture.md')
  const listed = [...architecture.matchAll(/^((?:packages|apps|examples|tests)\/\w+|bench) /gm)].map(([, path]) => path)
  expect(listed.sort()).toEqual(
    globSync(['{packages,apps,examples,tests}/*/package.json', 'bench/package.json'], { cwd: root })
      .map(dirname)
      .sort(),
  )

  const [, server = ''] = architecture.split('## The server')
  const folders = [...server.matchAll(/^(\w+)\/ /gm)].map(([, name]) => name)
  const real = readdirSync(join(root, 'apps/server/src'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )
  expect(folders.sort()).toEqual(real.map(({ name }) => name).sort())
})

test('behavior: every file mentioned in docs/architecture.md exists', () => {
  const paths = [...textOf('docs/architecture.md').matchAll(/`((?:packages|apps|tests|bench)\/[^`<(]+\.\w+)`/g)].map(
    ([, path = '']) => path,
  )
  expect(paths.length).toBeGreaterThan(8)
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('behavior: every decision mentioned in a source comment exists', () => {
  const sources = globSync(
    ['{apps,packages,examples,tests}/*/{src,test,scripts,contracts}/**/*', 'bench/src/**/*', 'scripts/**/*'],
    {
      cwd: root,
      exclude: ['**/node_modules/**', '**/*.png'],
    },
  ).filter((path) => /\.(?:[cm]?[jt]sx?|css|sol|sql|sh)$/.test(path) && !path.endsWith('relinked.test.ts'))
  const named = sources.flatMap((path) =>
    [...textOf(path).matchAll(/docs\/decisions\/\d{4}[\w-]*\.md/g)].map(([decision]) => `${path}: ${decision}`),
  )
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((line) => !existsSync(join(root, line.split(': ')[1] ?? '')))).toEqual([])
})
