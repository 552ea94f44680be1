// What makes a release: tarballs with all metadata, their publication, and what the registry has of them afterwards. See docs/releasing.md.
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { planRelease } from './release/planRelease.mjs'
import { preparePackages } from './release/preparePackages.mjs'
import { publishedPackages, root } from './release/publishedPackages.mjs'
import { publishPackages } from './release/publishPackages.mjs'
import { loadReleaseConfig } from './release/releaseConfig.mjs'
import { verifyPackages } from './release/verifyPackages.mjs'
import { versionPackages } from './release/versionPackages.mjs'

const usage = `Usage: npm run release -- COMMAND [options]

  plan                                   says what is to be done next, as next=version, next=publish or next=nothing
  version                                gives all packages their next version and CHANGELOG, from the changesets
  prepare --out FOLDER [--config FILE]   packs every published package, as it would be published, into an empty folder
  sbom --out FOLDER                      writes a bill of materials (CycloneDX) for each published package
  publish --from FOLDER --registry URL   publishes what was prepared; what is there already is passed over
  verify --from FOLDER --registry URL    holds what the registry has against what was prepared

  --config FILE    what the owner sets (release.config.json)
  --no-provenance  publish and verify without a statement of where the packages were built, for other registries than npm's
  --patience S     how many seconds verify waits for the registry to show a package (300)
`

const commands = { plan, version: versionPackages, prepare, sbom, publish, verify, refuse }

const { values, positionals } = parse()
if (values.help) {
  console.log(usage)
  process.exit()
}
const [name = '', ...rest] = positionals
const command = Object.hasOwn(commands, name) ? commands[/** @type {keyof typeof commands} */ (name)] : undefined
if (command === undefined || rest.length > 0)
  fail(name === '' ? 'Which command?' : `Unknown: ${positionals.join(' ')}.`)
try {
  await command()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function plan() {
  const changesets = readdirSync(join(root, '.changeset')).filter(
    (file) => file.endsWith('.md') && file !== 'README.md',
  )
  const tags = execFileSync('git', ['tag', '--list'], { cwd: root, encoding: 'utf8' }).split('\n')
  const versions = publishedPackages().map((published) => published.version)
  for (const [key, value] of Object.entries(planRelease({ changesets, versions, tags }))) console.log(`${key}=${value}`)
}

async function sbom() {
  // Needs what is installed, and the job that publishes installs nothing.
  const { writeSboms } = await import('./release/writeSboms.mjs')
  for (const { name, sbom } of writeSboms(demand('out'))) console.log(`${name}: ${sbom.components.length} packages`)
}

function prepare() {
  for (const { name, version, file } of preparePackages(demand('out'), config()))
    console.log(`${name}@${version} ${file}`)
}

async function publish() {
  await publishPackages(demand('from'), registry(), { provenance: !values['no-provenance'], tell: console.log })
}

async function verify() {
  const patience = Number(values.patience) * 1000
  if (!(patience >= 0)) fail('--patience takes seconds.')
  const repository = values['no-provenance'] ? undefined : config().repository
  await verifyPackages(demand('from'), registry(), { repository, patience, tell: console.log })
}

/** What the packages' `prepublishOnly` runs: `npm publish` in a package's folder would leave out what a release adds. */
function refuse() {
  throw new Error(
    'Packages are published as `npm run release -- prepare` packs them, by the workflow release.yml: see docs/releasing.md.',
  )
}

function config() {
  return loadReleaseConfig(values.config ?? join(root, 'release.config.json'))
}

function registry() {
  const text = demand('registry')
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    fail('--registry takes an http or https address, without credentials.')
  }
  return url.href
}

/** @param {'out' | 'from' | 'registry'} option */
function demand(option) {
  return values[option] ?? fail(`--${option} is needed.`)
}

function parse() {
  try {
    return parseArgs({
      options: {
        out: { type: 'string' },
        from: { type: 'string' },
        registry: { type: 'string' },
        config: { type: 'string' },
        patience: { type: 'string', default: '300' },
        'no-provenance': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    })
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  process.stderr.write(`${message}\n${usage}`)
  process.exit(2)
}
