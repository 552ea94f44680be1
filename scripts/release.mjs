// Why: docs/decisions/0064-releases.md
// Release steps not covered by changesets, pnpm or npm. See docs/releasing.md.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { judgeBuilds } from './release/judgeBuild.ts'
import { preparePackages } from './release/preparePackages.ts'
import { publishedPackages, root } from './release/publishedPackages.ts'
import { loadReleaseConfig } from './release/releaseConfig.ts'
import { verifyPackages } from './release/verifyPackages.ts'
import { planRelease, readChangesets, versionPackages } from './release/versions.ts'

const usage = `Usage: npm run release -- COMMAND [options]

  plan                                   print the next step: next=version, next=publish or next=nothing
  version                                update every package's version and CHANGELOG from the changesets
  prepare --out FOLDER [--config FILE]   pack every published package for a release into an empty folder
  sbom --out FOLDER                      write a CycloneDX bill of materials for each published package
  verify --from FOLDER                   compare the registry's packages with the prepared ones

  --config FILE    the owner's settings (release.config.json)
  --registry URL   the registry to check (https://registry.npmjs.org)
  --partial        accept packages that are not in the registry yet
  --no-provenance  accept packages without provenance, as on registries other than npm's
  --patience S     seconds to wait for the registry to list a package (300)
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
    const mistakes = judgeBuilds()
    if (mistakes.length > 0) throw new Error(mistakes.join('\n'))
    for (const { name, version, file } of preparePackages(demand('out', out), loadReleaseConfig(config)))
      console.log(`${name}@${version} ${file}`)
  },
  async sbom({ out }) {
    // This module requires installed dependencies, which the publishing job does not have.
    const { writeSboms } = await import('./release/writeSboms.ts')
    writeSboms(demand('out', out))
  },
  async verify({ from, registry, partial, patience, 'no-provenance': plain }) {
    const rules = { registry, partial, provenance: !plain, patience: Number(patience) * 1_000 }
    await verifyPackages(demand('from', from), rules)
  },
  /** Run by the packages' `prepublishOnly` script. */
  refuse() {
    throw new Error(
      'This folder lacks metadata. The release.yml workflow publishes the packages; see docs/releasing.md.',
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
