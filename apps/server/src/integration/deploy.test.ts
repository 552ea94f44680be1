import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import dockerignore from '@balena/dockerignore'
import { createCertificate } from '@firmquote/cluster/createCertificate'
import { findCaddy, findNginx, findOpenssl, findShellcheck } from '@firmquote/cluster/findPrograms'
import { nginxConfiguration } from '@firmquote/cluster/nginxConfiguration'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { DCLinter } from 'dclint'
import { DockerfileParser } from 'dockerfile-ast'
import { run as lintDockerfile } from 'dockerfilelint'
import { parse } from 'yaml'
import { loadConfiguration } from '../start/configuration.ts'
import { settings as serverSettings } from '../start/settings.ts'

// Checks the files for running the server as a service, in a container and behind a proxy.

const root = new URL('../../../../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, root), 'utf8')
const deployed = (file: string) => read(`apps/server/deploy/${file}`)
const { SHUTDOWN_TIMEOUT_MS: shutdownMs } = loadConfiguration({ RPC_URL: 'http://127.0.0.1:8545' })

/** Maximum exposure level reported by `systemd-analyze security`, in tenths. */
const mostExposed = 15

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
const withSystemd = hasSystemd ? test : test.skip
const note = hasSystemd ? '' : ' [NOT RUN: there is no systemd-analyze here]'

useFolder(beforeAll, afterAll)

/** Runs a program. `output` combines stdout and stderr. */
function ask(program: string, args: readonly string[], input?: string) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    ...(input !== undefined && { input }),
  })
  return { status, output: `${stdout}${stderr}` }
}

describe('the systemd unit', () => {
  const unit = deployed('firmquote-server.service')
  const values = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)

  function analyze(text: string, ...args: string[]) {
    const installed = join(folder, 'firmquote-server.service')
    // Simulates an installed server, because `systemd-analyze` requires the program to exist.
    writeFileSync(installed, text.replace('/opt/firmquote/bin/firmquote-server', process.execPath))
    return ask('systemd-analyze', [...args, installed])
  }
  const security = ['security', '--offline=yes', '--no-pager', `--threshold=${mostExposed}`]

  withSystemd(`default: systemd understands every line of it${note}`, () => {
    expect(analyze(unit, 'verify')).toEqual({ status: 0, output: '' })
  })

  withSystemd(`default: little of the machine is exposed to it${note}`, () => {
    expect(analyze(unit, ...security)).toMatchObject({
      status: 0,
      output: expect.stringContaining('Overall exposure level'),
    })
  })

  withSystemd(`error: the checks find a line that systemd does not know, and a service that is exposed${note}`, () => {
    expect(analyze(unit.replace('ProtectHome=yes', 'ProtectHomes=yes'), 'verify').output).toContain('ProtectHomes')
    const exposed = unit.replaceAll(/^(?:DynamicUser|CapabilityBoundingSet|SystemCallFilter)=.*$/gm, '')
    expect(analyze(exposed, ...security).status).not.toBe(0)
  })

  test('behavior: it does not run as root or write core dumps, and only root can read its settings', () => {
    expect(values('DynamicUser')).toEqual(['yes'])
    expect(values('LimitCORE')).toEqual(['0'])
    expect([values('MemoryMax'), values('TasksMax')]).toEqual([['2G'], ['256']])
    expect(values('EnvironmentFile')).toEqual(['/etc/firmquote-server/env'])
    expect(values('Environment')).toEqual(['NODE_ENV=production', 'DATA_DIR=%S/firmquote-server'])
  })

  test('behavior: open auctions have time to finish', () => {
    expect(values('KillSignal')).toEqual(['SIGTERM'])
    expect(Number(values('TimeoutStopSec')[0]) * 1_000).toBeGreaterThan(shutdownMs)
  })
})

describe.each(['server', 'daemon'])('the Dockerfile of the %s', (app) => {
  const text = read(`apps/${app}/deploy/Dockerfile`)
  const instructions = DockerfileParser.parse(text).getInstructions()
  const of = (keyword: string) =>
    instructions.flatMap((each) => (each.getKeyword() === keyword ? [each.getArgumentsContent() ?? ''] : []))

  test('default: dockerfilelint finds nothing', () => {
    expect(lintDockerfile('', text)).toEqual([])
    expect(lintDockerfile('', `${text}RUN sudo apt-get install x\n`)).not.toEqual([])
  })

  const withShellcheck = findShellcheck() ? test : test.skip
  withShellcheck('default: shellcheck finds nothing in any RUN', () => {
    const check = (script: string) => ask(findShellcheck() ?? '', ['--shell=sh', '-'], script)
    expect(of('RUN').length).toBeGreaterThan(2)
    for (const script of of('RUN')) expect(check(script)).toEqual({ status: 0, output: '' })
    expect(check('rm -r $folder').status).not.toBe(0)
  })

  test('behavior: no secret is built in', () => {
    expect(text).not.toMatch(/RPC_URL|DATABASE_URL|NATS_URL|API_KEYS|PRIVATE_KEY|PASSWORD/)
  })

  test('behavior: its Node version is the tested version', () => {
    const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> }
    const images = new Set(of('FROM').map((words) => words.split(' ')[0]))
    expect(images).toEqual(new Set([`node:${devDependencies['node']}-bookworm-slim`]))
  })

  test('behavior: it runs as a numeric non-root user and stops on SIGTERM', () => {
    expect(of('USER')).toEqual(['1000:1000'])
    const keywords = instructions.map((each) => each.getKeyword())
    expect(keywords.indexOf('USER')).toBeGreaterThan(keywords.lastIndexOf('RUN'))
    expect(of('STOPSIGNAL')).toEqual(['SIGTERM'])
    // A shell as the entrypoint would not forward the signal.
    expect(of('ENTRYPOINT')).toEqual([`["firmquote-${app}"]`])
  })
})

describe('the build context', () => {
  const rules = dockerignore().add(read('.dockerignore'))
  const sent = (paths: string[]) => paths.filter((path) => !rules.ignores(path))

  test('behavior: secrets, data and build outputs are excluded', () => {
    const kept = ['apps/server/src/main.ts', 'packages/core/package.json', 'package.json', 'scripts/run.mjs']
    const ignored = [
      ...['.env', 'apps/server/deploy/.env', 'apps/server/.env.local', '.npmrc', 'notes.txt', '.git/config'],
      ...['apps/daemon/keystore.json', 'apps/daemon/password', 'apps/server/firmquote.db-wal', 'apps/server/data/x'],
      ...['apps/server/.npmrc', 'apps/server/firmquote-data/firmquote.db', 'apps/server/key.pem'],
      ...[
        'node_modules/x/index.js',
        'apps/server/node_modules/x.js',
        'apps/server/dist/main.js',
        'apps/web/.turbo/log',
      ],
    ]
    expect(sent([...ignored, ...kept])).toEqual(kept)
  })

  test('behavior: it contains everything a frozen install reads, and every workspace package that another package needs', () => {
    const settings = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.mjs']
    const manifests = globSync('{packages,apps,examples,tests}/*/package.json', { cwd: fileURLToPath(root) })
    const files = sent([...settings, ...manifests, 'bench/package.json'])
    const packages = files.filter((file) => file.endsWith('package.json')).map((file) => JSON.parse(read(file)))
    const needed = packages.flatMap(({ dependencies, devDependencies }) =>
      Object.keys({ ...dependencies, ...devDependencies }).filter((name) => name.startsWith('@firmquote/')),
    )
    expect(packages.map(({ name }) => name)).toEqual(expect.arrayContaining(needed))

    const folder = mkdtempSync(join(tmpdir(), 'firmquote-context-'))
    try {
      for (const file of files) {
        mkdirSync(join(folder, dirname(file)), { recursive: true })
        cpSync(new URL(file, root), join(folder, file))
      }
      const pnpm = fileURLToPath(new URL('node_modules/.bin/pnpm', root))
      const options = ['--dir', folder, '--frozen-lockfile', '--lockfile-only', '--offline']
      expect(ask(pnpm, ['install', ...options], '')).toMatchObject({ status: 0 })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

/** Whether an image is the local build, which is used unless `.env` names a released image. */
const isOwn = (image: string) => /(?:firmquote-demo:local|:-firmquote-server:local\})$/.test(image)

type Service = {
  image: string
  environment?: Record<string, string>
  ports?: string[]
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  stop_grace_period?: string
  networks?: string[]
  volumes?: string[]
  user?: string
  command?: string[]
  entrypoint?: string[]
  healthcheck?: { test: string[] }
  restart?: string
  mem_limit?: string
  pids_limit?: number
  ulimits?: Record<string, number>
  logging?: { options?: Record<string, string> }
}

/**
 * dclint rules that do not apply: images are also built locally, Caddy's ports are public, and key order is irrelevant.
 */
const notForCompose = [
  'no-build-and-image',
  'no-unbound-port-interfaces',
  'require-quotes-in-ports',
  'service-keys-order',
  'services-alphabetical-order',
  'top-level-properties-order',
]

/** Returns the rules that a file violates. */
function lintCompose(text: string): string[] {
  const file = join(folder, 'compose.yml')
  writeFileSync(file, text)
  const rules = Object.fromEntries(notForCompose.map((rule) => [rule, 0] as const))
  const results = new DCLinter({ rules, quiet: false, debug: false, exclude: [] }).lintFiles([file], false)
  return results.flatMap(({ messages }) => messages.map(({ rule }) => rule))
}

describe.each(['compose.yml', 'compose.cluster.yml', 'compose.demo.yml'])('%s', (file) => {
  const compose = parse(deployed(file), { merge: true }) as {
    services: Record<string, Service>
    networks: Record<string, { internal?: boolean }>
  }
  const services = Object.entries(compose.services)
  const servers = services.filter(([, { image }]) => isOwn(image)).map(([, service]) => service)

  test('default: it matches the Compose schema', () => {
    expect(lintCompose(deployed(file))).toEqual([])
    expect(lintCompose(deployed(file).replace('read_only: true', 'readonly: true'))).toContain('invalid-schema')
    expect(lintCompose(deployed(file).replace(/(image: caddy):\S+/, '$1'))).toEqual([
      'service-image-require-explicit-tag',
    ])
  })

  test('behavior: every variable of a server is one of its settings', () => {
    expect(servers.length).toBe(file === 'compose.cluster.yml' ? 2 : 1)
    for (const { environment: given = {} } of servers) {
      // The demo starts its own node.
      const environment = file === 'compose.demo.yml' ? { ...given, RPC_URL: 'http://n' } : given
      expect(Object.keys(environment)).toContain('RPC_URL')
      for (const name of Object.keys(environment)) expect(Object.keys(serverSettings)).toContain(name)
      // Variables that Compose reads from `.env`.
      const filled = Object.entries(environment).map(([name, value]) => {
        const text = value.replaceAll(/\$\{([A-Z_]+)[^}]*\}/g, (_, given: string) =>
          given === 'RPC_URL' ? 'http://n' : 'x',
        )
        return [name, text] as const
      })
      expect(loadConfiguration(Object.fromEntries(filled))).toMatchObject({ TRUST_PROXY: 1 })
    }
  })

  test('behavior: each image is pinned to a version and has few privileges', () => {
    for (const [, { image, read_only, cap_drop, security_opt }] of services) {
      if (!isOwn(image)) expect(image).toMatch(/^[a-z]+:\d+\.\d+(?:\.\d+)?-(?:alpine|bookworm)$/)
      expect({ read_only, cap_drop, security_opt }).toEqual({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      })
    }
  })

  test('behavior: every container has limits, and none writes core dumps', () => {
    for (const [name, { restart, mem_limit, pids_limit, ulimits, logging }] of services) {
      expect([name, restart, mem_limit, pids_limit, ulimits?.['core'], logging?.options]).toEqual([
        ...[name, 'unless-stopped', expect.stringMatching(/^\d+[mg]$/), expect.any(Number), 0],
        { 'max-size': '50m', 'max-file': '5' },
      ])
    }
  })

  test('behavior: no command line contains a variable, which could be a secret', () => {
    for (const [name, { command = [], entrypoint = [], healthcheck }] of services) {
      const words = [...command, ...entrypoint, ...(healthcheck?.test ?? [])]
      expect([name, words.filter((word) => word.includes('$'))]).toEqual([name, []])
    }
  })

  test('behavior: mounted files exist, and are read-only', () => {
    for (const [source = '', , mode] of services.flatMap(([, { volumes = [] }]) =>
      volumes.map((one) => one.split(':')),
    )) {
      if (!source.startsWith('./')) continue
      expect([source, mode]).toEqual([source, 'ro'])
      expect(deployed(source.slice(2))).not.toBe('')
    }
  })

  test('behavior: the commands at its top create `.env` for its owner only', () => {
    const [first = ''] = /.*> \.env\b.*/.exec(deployed(file)) ?? []
    const isSecret = file !== 'compose.demo.yml'
    expect(first.includes('(umask 077; printf')).toBe(isSecret)
  })

  test('behavior: only Caddy is reachable from outside, and it shares an internal network with the servers', () => {
    for (const [name, { ports = [] }] of services) expect(ports).toEqual(name === 'caddy' ? ['80:80', '443:443'] : [])
    const fromCaddy = compose.services['caddy']?.networks ?? []
    for (const { networks = [] } of servers) {
      const shared = networks.filter((network) => fromCaddy.includes(network))
      expect(shared).toEqual(['inside'])
    }
    expect(compose.networks['inside']).toEqual({ internal: true })
  })

  test('behavior: open auctions have time to finish', () => {
    for (const { stop_grace_period = '0s' } of servers) {
      expect(Number.parseInt(stop_grace_period, 10) * 1_000).toBeGreaterThan(shutdownMs)
    }
  })

  test('behavior: the programs that it runs from the repository exist', () => {
    for (const { command = [] } of servers) {
      const files = command.filter((word) => word.endsWith('.ts'))
      expect(files).toEqual(file === 'compose.demo.yml' ? [expect.any(String)] : [])
      for (const path of files) expect(read(path)).toContain('#!/usr/bin/env node')
    }
  })

  test('behavior: Caddy receives exactly the variables that its file uses', () => {
    const asked = new Set([...deployed('Caddyfile').matchAll(/\{\$([A-Z_]+)/g)].map(([, name]) => name))
    for (const name of Object.keys(compose.services['caddy']?.environment ?? {})) expect(asked).toContain(name)
  })
})

describe('the proxies', () => {
  const withCaddy = findCaddy() ? test : test.skip
  const withNginx = findNginx() && findOpenssl() ? test : test.skip
  const caddyfile = fileURLToPath(new URL('apps/server/deploy/Caddyfile', root))

  withCaddy('default: Caddy finds its file valid, and formatted', () => {
    const caddy = findCaddy() ?? ''
    const validate = (file: string) => ask(caddy, ['validate', '--config', file, '--adapter', 'caddyfile'])
    expect(validate(caddyfile)).toMatchObject({ status: 0, output: expect.stringContaining('Valid configuration') })
    expect(validate(caddyfile).output).not.toMatch(/"level":"(?:warn|error)"/)
    expect(spawnSync(caddy, ['fmt', caddyfile], { encoding: 'utf8' }).stdout).toBe(deployed('Caddyfile'))
    const wrong = join(folder, 'Caddyfile')
    writeFileSync(wrong, deployed('Caddyfile').replace('health_uri', 'health_url'))
    expect(validate(wrong).status).not.toBe(0)
  })

  withNginx('default: nginx finds its file valid', () => {
    const own = join(folder, 'nginx')
    mkdirSync(own)
    const certificate = createCertificate(own)
    const places = { port: 443, servers: ['127.0.0.1:3005'], tls: { ...certificate, httpPort: 80 } }
    const file = join(own, 'nginx.conf')
    const check = (text: string) => {
      writeFileSync(file, nginxConfiguration(text, places))
      return ask(findNginx() ?? '', ['-t', '-p', own, '-c', file, '-e', 'stderr'])
    }
    const { status, output } = check(deployed('nginx.conf'))
    expect({ status, output }).toMatchObject({ status: 0, output: expect.not.stringContaining('warn') })
    expect(check(deployed('nginx.conf').replace('limit_conn_status', 'limit_conn_state')).status).not.toBe(0)
  })

  test('error: a missing placeholder', () => {
    const text = deployed('nginx.conf').replaceAll('server 127.0.0.1:3005', 'server 127.0.0.1:3006')
    expect(() => nginxConfiguration(text, { port: 1, servers: [] })).toThrow(
      /does not contain server 127\.0\.0\.1:3005/,
    )
  })
})

test('behavior: the pages for operators refer to existing files, folders and volumes', () => {
  const page = ['deploying', 'backup', 'upgrading'].map((name) => read(`docs/${name}.md`)).join('\n')
  for (const text of [
    'firmquote-server.service',
    'Caddyfile',
    'nginx.conf',
    'compose.yml',
    'compose.cluster.yml',
    'compose.demo.yml',
  ]) {
    expect(page).toContain(`\`${text}\``)
    expect(deployed(text)).not.toBe('')
  }
  for (const [file, volume] of [
    ['compose.yml', 'data'],
    ['compose.cluster.yml', 'database'],
  ] as const) {
    const compose = parse(deployed(file), { merge: true }) as { name: string; volumes: Record<string, unknown> }
    expect(Object.keys(compose.volumes)).toContain(volume)
    expect(page).toContain(`\`${compose.name}_${volume}\``)
  }
  // The installed package must include the files that users copy from it.
  const { files } = JSON.parse(read('apps/server/package.json')) as { files: string[] }
  for (const file of ['firmquote-server.service', 'Caddyfile', 'nginx.conf']) expect(files).toContain(`deploy/${file}`)
  const unit = deployed('firmquote-server.service')
  for (const [path] of page.matchAll(/\/(?:(?:opt|etc)\/firmquote[-\w/]*\w|var\/lib\/firmquote[-\w]*)/g)) {
    if (path.startsWith('/opt/firmquote/lib/')) continue
    expect(unit).toContain(path.replace(/^\/opt\/firmquote$/, '/opt/firmquote '))
  }
})
