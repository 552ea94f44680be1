import type { Manifest } from './publishedPackages.ts'
import type { ReleaseConfig } from './releaseConfig.ts'

/**
 * Creates the package.json to publish. It consists of the packed package.json plus the owner's metadata, without
 * scripts and devDependencies.
 *
 * @param folder the package's folder, relative to the root
 */
export function releaseManifest(packed: Manifest, config: ReleaseConfig, folder: string): Manifest {
  const { name, version, description, keywords, scripts: _, devDependencies: __, ...rest } = packed
  const { homepage, bugs, repository, author } = config
  return {
    ...{ name, version, description, keywords, homepage },
    bugs: bugs.startsWith('mailto:') ? { email: bugs.slice('mailto:'.length) } : { url: bugs },
    repository: { type: 'git', url: `git+${repository}.git`, directory: folder },
    author,
    ...rest,
  }
}

/** Prevents `npm publish` in a package's folder from publishing without metadata. */
const refusal = 'node ../../scripts/release.mjs refuse'

/** Checks the package.json of a published package in the repository. Returns one sentence per mistake. */
export function judgeManifest(manifest: Manifest): string[] {
  const { name, version, description, keywords, license, engines, publishConfig, files, scripts } = manifest
  const { dependencies = {} } = manifest
  const isPublic = publishConfig?.access === 'public' && publishConfig.provenance === true
  const rules: [isRight: unknown, mistake: string][] = [
    [/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version), 'version is not a valid version.'],
    [description, 'description is missing.'],
    [
      keywords?.includes('firmquote') && keywords.length >= 4,
      'keywords must contain firmquote and at least three more.',
    ],
    [license, 'license is missing.'],
    [engines?.node, 'engines.node is missing.'],
    [Array.isArray(files), 'files is missing.'],
    [
      /^\^/.test(dependencies['viem'] ?? '^'),
      'dependencies.viem must be a range (^), so that a project installs it only once.',
    ],
    [isPublic, 'publishConfig must be { "access": "public", "provenance": true }.'],
    [scripts?.['prepublishOnly'] === refusal, `scripts.prepublishOnly must be "${refusal}".`],
    ...['repository', 'homepage', 'bugs', 'author'].map((field): [boolean, string] => [
      manifest[field] === undefined,
      `${field} comes from release.config.json.`,
    ]),
  ]
  return rules.flatMap(([isRight, mistake]) => (isRight ? [] : [`${name}: ${mistake}`]))
}
