/**
 * The package.json that is published: what users of the package need, and where it comes from.
 *
 * @param {import('./publishedPackages.mjs').Manifest} manifest as it was packed
 * @param {import('./releaseConfig.mjs').ReleaseConfig} config
 * @param {string} folder the package's folder, from the root of the repository
 * @returns {import('./publishedPackages.mjs').Manifest}
 */
export function releaseManifest(manifest, config, folder) {
  // Both are of use in the repository alone.
  const { name, version, description, keywords, scripts: _, devDependencies: __, ...rest } = manifest
  return {
    name,
    version,
    description,
    keywords,
    homepage: config.homepage,
    bugs: config.bugs.startsWith('mailto:') ? { email: config.bugs.slice('mailto:'.length) } : { url: config.bugs },
    repository: { type: 'git', url: `git+${config.repository}.git`, directory: folder },
    author: config.author,
    ...rest,
  }
}

/**
 * What a package.json of a published package lacks, a sentence each; none is fine.
 *
 * @param {import('./publishedPackages.mjs').Manifest} manifest as it is in the repository
 * @returns {string[]}
 */
export function judgeManifest(manifest) {
  const { name, version, description, keywords, license, engines, publishConfig, files, scripts } = manifest
  const fromConfig = ['repository', 'homepage', 'bugs', 'author'].filter((field) => manifest[field] !== undefined)
  return [
    /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version) ? '' : 'version is no version.',
    description ? '' : 'description is missing.',
    Array.isArray(keywords) && keywords.includes('firmquote') && keywords.length >= 4
      ? ''
      : 'keywords needs firmquote and three more.',
    license ? '' : 'license is missing.',
    engines?.node ? '' : 'engines.node is missing.',
    publishConfig?.access === 'public' && publishConfig?.provenance === true
      ? ''
      : 'publishConfig must be { "access": "public", "provenance": true }.',
    Array.isArray(files) ? '' : 'files is missing.',
    scripts?.prepublishOnly === refusal ? '' : `scripts.prepublishOnly must be "${refusal}".`,
    ...fromConfig.map((field) => `${field} comes from release.config.json, and stands nowhere else.`),
  ]
    .filter((sentence) => sentence !== '')
    .map((sentence) => `${name}: ${sentence}`)
}

/** What keeps `npm publish` in a package's folder from publishing it without all this. */
const refusal = 'node ../../scripts/release.mjs refuse'
