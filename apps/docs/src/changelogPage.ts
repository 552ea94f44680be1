import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Page } from './page.ts'

/** A change and the packages it affects. */
type Change = { text: string; packages: readonly string[] }

/** The changelog page: pending changes, then each release's changes. */
export function changelogPage(root: string): Page {
  const waiting = globSync('.changeset/*.md', { cwd: root })
    .filter((file) => basename(file) !== 'README.md')
    .sort()
    .map((file) => readChangeset(readFileSync(join(root, file), 'utf8')))
  const logs = globSync('{packages,apps}/*/CHANGELOG.md', { cwd: root })
    .sort()
    .map((file) => readFileSync(join(root, file), 'utf8'))
  const sections = [
    ...(waiting.length > 0 ? [section('Next release', waiting)] : []),
    ...[...mergeChangelogs(logs)].map(([version, changes]) => section(version, changes)),
  ]
  return {
    path: 'changelog.md',
    title: 'Changelog',
    description: 'What changed in each release, and in which packages.',
    order: 900,
    markdown: [
      '# Changelog',
      'All packages have the same version. For what a version number guarantees, see [Versions](/versioning).',
      ...sections,
    ].join('\n\n'),
  }
}

function section(title: string, changes: readonly Change[]): string {
  const items = changes.map(({ text, packages }) => {
    const names = packages.map((name) => name.replace('@firmquote/', '')).join(', ')
    return `- **${names}**: ${text.replaceAll(/\n(?=.)/g, '\n  ')}`
  })
  return `## ${title}\n\n${items.join('\n')}`
}

/** Reads a changeset, whose front matter lists the affected packages. */
export function readChangeset(file: string): Change {
  const [, head = '', text = ''] = /^---\n(.*?)---\n(.*)$/s.exec(file) ?? []
  return { text: text.trim(), packages: [...head.matchAll(/^["']?([^"':]+)["']?:/gm)].map(([, name = '']) => name) }
}

/**
 * Merges the packages' changelogs into one list of changes per release, newest first. A change that affects several
 * packages is listed once. Dependency updates are omitted.
 */
export function mergeChangelogs(logs: readonly string[]): Map<string, Change[]> {
  const releases = new Map<string, Map<string, string[]>>()
  for (const log of logs) {
    const name = /^# (.+)$/m.exec(log)?.[1] ?? ''
    for (const release of log.split(/^## /m).slice(1)) {
      const [version = '', ...lines] = release.split('\n')
      const changes = releases.get(version) ?? new Map<string, string[]>()
      releases.set(version, changes)
      for (const entry of lines.join('\n').split(/^- /m).slice(1)) {
        const text = (entry.split(/^### /m)[0] ?? '')
          .replace(/^[0-9a-f]{7,40}: /, '')
          .replaceAll(/^ {2}/gm, '')
          .trim()
        if (!text.startsWith('Updated dependencies')) changes.set(text, [...(changes.get(text) ?? []), name])
      }
    }
  }
  const newestFirst = [...releases].sort(([a], [b]) => b.localeCompare(a, 'en', { numeric: true }))
  return new Map(
    newestFirst.map(([version, changes]) => [version, [...changes].map(([text, packages]) => ({ text, packages }))]),
  )
}
