import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { exampleConfiguration } from '../start/exampleConfiguration.ts'
import { loadConfiguration } from '../start/loadConfiguration.ts'
import { overrides } from '../start/settings.ts'

// Tests the files for running the daemon as a service.

const read = (file: string) => readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8')
const unit = read('firmquote-daemon.service')
const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ').split('\n')
const rootManifest = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as {
  devDependencies: Record<string, string>
}
const page = readFileSync(new URL('../../../../docs/daemon-deploying.md', import.meta.url), 'utf8')

/** Maximum exposure level reported by `systemd-analyze security`, in tenths. The highest possible level is 100. */
const mostExposed = 15

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
const withSystemd = hasSystemd ? test : test.skip
const note = hasSystemd ? '' : ' [NOT RUN: there is no systemd-analyze here]'

/** Returns all values of a setting, in order. */
function settings(name: string): string[] {
  return [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)
}

/** Returns the arguments of each occurrence of an instruction. */
function instructions(name: string): string[] {
  return dockerfile.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1).trim())
}

describe('the systemd unit', () => {
  let installed: string
  useFolder(beforeAll, afterAll)
  beforeAll(() => {
    installed = join(folder, 'firmquote-daemon.service')
    // Replace the unit's program with an existing one, because the check requires the program to exist.
    writeFileSync(installed, unit.replace('/opt/firmquote/bin/firmquote-daemon', process.execPath))
  })

  function analyze(...args: string[]) {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, installed], { encoding: 'utf8' })
    return { status, output: `${stdout}${stderr}` }
  }

  withSystemd(`default: systemd understands every line of it${note}`, () => {
    expect(analyze('verify')).toEqual({ status: 0, output: '' })
  })

  withSystemd(`default: little of the machine is exposed to it${note}`, () => {
    const { status, output } = analyze('security', '--offline=yes', '--no-pager', `--threshold=${mostExposed}`)
    expect({ status, output }).toMatchObject({ status: 0, output: expect.stringContaining('Overall exposure level') })
  })

  withSystemd(`error: the check finds a line that systemd does not know, and a service that is exposed${note}`, () => {
    const good = readFileSync(installed, 'utf8')
    writeFileSync(installed, good.replace('ProtectHome=yes', 'ProtectHomes=yes'))
    expect(analyze('verify').output).toContain('ProtectHomes')
    writeFileSync(installed, good.replaceAll(/^(?:DynamicUser|CapabilityBoundingSet|SystemCallFilter)=.*$/gm, ''))
    expect(analyze('security', '--offline=yes', '--no-pager', `--threshold=${mostExposed}`).status).not.toBe(0)
    writeFileSync(installed, good)
  })

  test('behavior: runs without root, new privileges and core dumps', () => {
    expect(settings('DynamicUser')).toEqual(['yes'])
    expect(settings('User')).toEqual([])
    expect(settings('CapabilityBoundingSet')).toEqual([''])
    expect(settings('NoNewPrivileges')).toEqual(['yes'])
    expect(settings('ProtectSystem')).toEqual(['strict'])
    expect(settings('LimitCORE')).toEqual(['0'])
  })

  test('behavior: secrets are handed over as credentials, and every variable is one that the daemon knows', () => {
    const credentials = settings('LoadCredential').map((value) => value.split(':')[0])
    expect(credentials).toEqual(['firmquote-daemon.yaml', 'keystore.json', 'password'])
    const names = overrides.map(({ name }) => name)
    for (const [name, value] of settings('Environment').map((text) => text.split('='))) {
      expect(names).toContain(name)
      expect(value).toMatch(/^%[dSt]\//)
    }
    expect(unit).not.toMatch(/FIRMQUOTE_PRIVATE_KEY|FIRMQUOTE_KEYSTORE_PASSWORD=/)
  })

  test('behavior: the stop timeout covers a graceful shutdown', () => {
    const { shutdownTimeoutMs } = loadConfiguration(exampleConfiguration, 'firmquote-daemon.yaml', {})
    expect(settings('KillSignal')).toEqual(['SIGTERM'])
    expect(Number(settings('TimeoutStopSec')[0]) * 1_000).toBeGreaterThan(shutdownTimeoutMs)
  })
})

describe('the Dockerfile', () => {
  test('behavior: its last stage has a numeric non-root user and stops with SIGTERM', () => {
    const last = dockerfile.slice(dockerfile.findLastIndex((line) => line.startsWith('FROM ')))
    const users = last.filter((line) => line.startsWith('USER '))
    expect(users).toEqual(['USER 1000:1000'])
    expect(last.findIndex((line) => line.startsWith('USER '))).toBeGreaterThan(
      last.findLastIndex((line) => /^(?:RUN|COPY|ADD) /.test(line)),
    )
    expect(instructions('STOPSIGNAL')).toEqual(['SIGTERM'])
    expect(instructions('VOLUME')).toEqual(['/maker'])
  })

  test('behavior: uses the tested Node.js version', () => {
    const images = instructions('FROM').map((text) => text.split(' ')[0])
    expect(new Set(images)).toEqual(new Set([`node:${rootManifest.devDependencies['node']}-bookworm-slim`]))
  })

  test('behavior: no secret is built in, or can be', () => {
    expect(dockerfile.join('\n')).not.toMatch(/PRIVATE_KEY|PASSWORD/)
    const ignored = readFileSync(new URL('../../../../.dockerignore', import.meta.url), 'utf8').split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['*', '**/*keystore*.json', '**/*password*', '**/.env*']))
  })
})

test('behavior: docs/daemon-deploying.md names both files, and the folders of the unit', () => {
  for (const text of [
    'deploy/firmquote-daemon.service',
    'deploy/Dockerfile',
    '/etc/firmquote-daemon',
    '/opt/firmquote',
  ]) {
    expect(page).toContain(text)
  }
})
