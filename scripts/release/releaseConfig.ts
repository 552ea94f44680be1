import { readFileSync } from 'node:fs'

/** The owner's settings in `release.config.json`. */
export type ReleaseConfig = Record<keyof typeof settings, string>

const settings = {
  repository: [/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+(?<!\.git)$/, 'https://github.com/OWNER/NAME'],
  homepage: [/^https:\/\/[^\s/]+\.[^\s/]+(\/\S*)?$/, 'an https address'],
  bugs: [/^(https:\/\/[^\s/]+\.[^\s/]+\/\S*|mailto:[^\s@]+@[^\s@]+)$/, 'an https address, or mailto:ADDRESS'],
  author: [/^[^<>()\s][^<>()]*( <[^\s<>@]+@[^\s<>@]+>)?( \(https:\/\/[^\s()]+\))?$/, 'Name <mail> (address)'],
  docs: [/^https:\/\/[^\s/]+\.[^\s/]+(\/\S*)?\/learn$/, 'an https address that ends with /learn'],
} satisfies Record<string, [form: RegExp, means: string]>

/**
 * Checks release settings. Returns one sentence per mistake.
 *
 * @param complete whether an empty setting is a mistake
 */
export function judgeReleaseConfig(config: Record<string, unknown>, complete = true): string[] {
  const unknown = Object.keys(config).filter((name) => !Object.hasOwn(settings, name))
  return [
    ...unknown.map((name) => `${name}: unknown setting. Valid settings: ${Object.keys(settings).join(', ')}.`),
    ...Object.entries(settings).flatMap(([name, [form, means]]) => {
      const value = config[name] ?? null
      if (value === null && !complete) return []
      if (typeof value === 'string' && form.test(value)) return []
      return [`${name}: is ${JSON.stringify(value)}; it must be ${means}.`]
    }),
  ]
}

/** @throws Error listing every missing or invalid setting */
export function loadReleaseConfig(file: string): ReleaseConfig {
  const config = JSON.parse(readFileSync(file, 'utf8'))
  const mistakes = judgeReleaseConfig(config)
  if (mistakes.length > 0) throw new Error([`${file} does not allow a release:`, ...mistakes].join('\n  '))
  return config
}
