import { readFileSync } from 'node:fs'

/**
 * What the owner of the repository sets once, in `release.config.json`. Nothing is published before all of it is there.
 *
 * @typedef {object} ReleaseConfig
 * @property {string} repository the address of the repository on GitHub, `https://github.com/OWNER/NAME`
 * @property {string} homepage where a package's "homepage" leads
 * @property {string} bugs where mistakes are reported: an https address, or mailto: and an address
 * @property {string} author as npm writes it: `Name`, `Name <mail>` or `Name <mail> (https://…)`
 * @property {string} docs the address of the documentation site, which ends with `/learn`
 */

/** @type {Record<keyof ReleaseConfig, { form: RegExp, means: string }>} */
const settings = {
  repository: { form: /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+(?<!\.git)$/, means: 'https://github.com/OWNER/NAME' },
  homepage: { form: /^https:\/\/[^\s/]+\.[^\s/]+(\/\S*)?$/, means: 'an https address' },
  bugs: {
    form: /^(https:\/\/[^\s/]+\.[^\s/]+\/\S*|mailto:[^\s@]+@[^\s@]+)$/,
    means: 'an https address, or mailto:ADDRESS',
  },
  author: {
    form: /^[^<>()\s][^<>()]*( <[^\s<>@]+@[^\s<>@]+>)?( \(https:\/\/[^\s()]+\))?$/,
    means: 'Name <mail> (address)',
  },
  docs: { form: /^https:\/\/[^\s/]+\.[^\s/]+(\/\S*)?\/learn$/, means: 'an https address that ends with /learn' },
}

/**
 * What keeps a release from being made with these settings, a sentence each; none is fine.
 *
 * @param {unknown} config
 * @returns {string[]}
 */
export function judgeReleaseConfig(config) {
  if (typeof config !== 'object' || config === null || Array.isArray(config)) return ['It is no object.']
  /** @type {Record<string, unknown>} */
  const given = { ...config }
  return [
    ...Object.keys(given)
      .filter((name) => !Object.hasOwn(settings, name))
      .map((name) => `${name}: is not known; there are ${Object.keys(settings).join(', ')}.`),
    ...Object.entries(settings).flatMap(([name, { form, means }]) => {
      const value = given[name]
      if (value === null || value === undefined) return [`${name}: is not set; it is ${means}.`]
      return typeof value === 'string' && form.test(value)
        ? []
        : [`${name}: is ${JSON.stringify(value)}; it must be ${means}.`]
    }),
  ]
}

/**
 * Loads the settings of a release.
 *
 * @param {string} file
 * @returns {ReleaseConfig}
 * @throws Error that names every setting that is missing or wrong
 */
export function loadReleaseConfig(file) {
  const config = JSON.parse(readFileSync(file, 'utf8'))
  const mistakes = judgeReleaseConfig(config)
  if (mistakes.length > 0) throw new Error([`Nothing can be released with ${file}:`, ...mistakes].join('\n  '))
  return config
}
