// Why: docs/decisions/0064-releases.md
// Release steps that changesets, pnpm and npm do not cover. See docs/releasing.md.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { preparePackages } from './release/preparePackages.ts'
import { publishedPackages, root } from './release/publishedPackages.ts'
import { loadReleaseConfig } from './release/releaseConfig.ts'
import { verifyPackages } from './release/verifyPackages.ts'
import { planRelease, readChangesets, versionPackages } from './release/versions.ts'

const usage = `Usage: npm run release -- COMMAND [options]

  plan                                   prints the next step: next=version, next=publish or next=nothing
  version                                gives all packages their next version and CHANGELOG, from the changesets
  prepare --out FOLDER [--config FILE]   packs every published package for a release, into an empty folder
  sbom --out FOLDER                      writes a bill of materials (CycloneDX) for each published package
  verify --from FOLDER                   compares the registry's packages with the prepared ones

  --config FILE    the owner's settings (release.config.json)
  --registry URL   the registry to verify (https://registry.npmjs.org)
  --partial        accept packages that the registry does not have yet
  --no-provenance  accept packages without provenance, as on registries other than npm's
  --patience S     seconds that the registry may take to show a package (300)
`

const options = {
  out: { type: 'string' },
  from: { type: 'string' },
  registry: { type: 'string', default: 'https://registry.npmjs.org' },
  config: { type: 'string', default: join(root, 'release.config.json') },
  patience: { type: 'string', default: '300' },
  partial: { type: 'boolean', default: false },
  'no-provenance': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
}

const commands = {
  plan() {
    const tags = execFileSync('git', ['tag', '--list'], { cwd: root, encoding: 'utf8' }).split('\n')
    const version = publishedPackages()[0]?.version ?? ''
    const next = planRelease({ changesets: Object.keys(readChangesets()), version, tags })
    console.log(`next=${next}\nversion=${version}`)
  },
  version: versionPackages,
  prepare({ out, config }) {
    for (const { name, version, file } of preparePackages(demand('out', out), loadReleaseConfig(config)))
      console.log(`${name}@${version} ${file}`)
  },
  async sbom({ out }) {
    // Requires installed packages, which the publishing job does not have.
    const { writeSboms } = await import('./release/writeSboms.ts')
    writeSboms(demand('out', out))
  },
  async verify({ from, registry, partial, patience, 'no-provenance': plain }) {
    const rules = { registry, partial, provenance: !plain, patience: Number(patience) * 1_000 }
    await verifyPackages(demand('from', from), rules)
  },
  /** The packages' `prepublishOnly` script. */
  refuse() {
    throw new Error(
      'The workflow release.yml publishes the packages, see docs/releasing.md: this folder lacks metadata.',
    )
  },
}

try {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [name = ''] = positionals
  if (values.help) console.log(usage)
  else if (positionals.length === 1 && Object.hasOwn(commands, name)) await commands[name](values)
  else throw new Error(`Expected one command, got "${positionals.join(' ')}".\n\n${usage}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function demand(option, value) {
  if (value === undefined) throw new Error(`--${option} is missing.`)
  return value
}
