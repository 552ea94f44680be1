import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { findBrowser, firefox } from '../../../../scripts/findBrowser.mjs'
import { root } from '../pack.ts'

const isRoot = process.getuid?.() === 0

useFolder(beforeEach, afterEach)

function write(name: string, text = ''): string {
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\n${text}`, { mode: 0o755 })
  return file
}

describe('findBrowser', () => {
  test('default: finds the first in PATH, or the one specified', () => {
    const chrome = write('google-chrome')
    expect(findBrowser({ PATH: `/nowhere:${folder}` })).toEqual({ path: chrome })
    const chromium = write('chromium')
    expect(findBrowser({ PATH: folder })).toEqual({ path: chromium })
    expect(findBrowser({ PATH: folder, FIRMQUOTE_BROWSER: chrome })).toEqual({ path: chrome })
  })

  test('error: gives the reason if there is none', () => {
    expect(findBrowser({ PATH: folder }).missing).toBe('apt-get is not available to install chromium')
    write('chromium')
    expect(findBrowser({ PATH: folder, FIRMQUOTE_BROWSER: 'none' }).missing).toMatch('FIRMQUOTE_BROWSER is "none"')
  })

  test('behavior: Firefox has its own names, variable and reason', () => {
    write('chromium')
    expect(findBrowser({ PATH: folder }, firefox).missing).toBe('apt-get is not available to install firefox-esr')
    const path = write('firefox-esr')
    expect(findBrowser({ PATH: folder }, firefox)).toEqual({ path })
    const none = { PATH: folder, FIRMQUOTE_BROWSER: 'none' }
    expect(findBrowser(none, firefox)).toEqual({ path })
    expect(findBrowser({ PATH: folder, FIRMQUOTE_FIREFOX: 'none' }, firefox).missing).toMatch(
      /^FIRMQUOTE_FIREFOX is "none"/,
    )
    rmSync(path)
    expect(findBrowser({ PATH: folder, FIRMQUOTE_INSTALL_FAILURE: 'apt-get could not' }, firefox)).toEqual({
      missing: 'apt-get could not',
    })
  })
})

describe('npm test without a browser', () => {
  /** Runs `npm test` with only this folder's programs in PATH, so without a browser. */
  function npmTest(args: string[], environment: Record<string, string> = {}) {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/run.mjs', 'test', ...args], {
      cwd: root,
      env: { ...process.env, PATH: folder, FORCE_COLOR: '0', FIRMQUOTE_BROWSER: '', ...environment },
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }

  /** Creates an `apt-get` program that records its arguments and then runs the given commands. */
  function aptGet(does: string): () => string {
    const log = join(folder, 'log')
    write('apt-get', `echo "$*" >> ${log}\n${does}`)
    return () => (existsSync(log) ? readFileSync(log, 'utf8') : '')
  }

  beforeEach(() => {
    const hidden = /^(?:apt-get|chromium.*|google-chrome.*)$/
    for (const path of (process.env['PATH'] ?? '').split(delimiter).filter(existsSync)) {
      for (const name of readdirSync(path)) {
        const program = join(folder, name)
        if (!hidden.test(name) && !existsSync(program)) symlinkSync(join(path, name), program)
      }
    }
  })

  test('default: is installed once, for the tests that need it', () => {
    const log = aptGet(`case "$*" in *install*) cp ${folder}/apt-get ${folder}/chromium ;; esac`)
    expect(npmTest(['packages/core', '--listTests']).status).toBe(0)
    expect(log()).toBe('')
    const { status, stdout } = npmTest(['outage.browser', '--listTests'])
    expect(status).toBe(0)
    expect(log()).toMatch(isRoot ? /update\n.* install .*chromium\n$/ : /^$/)
    expect(stdout.includes('Installing chromium … ')).toBe(isRoot)
    const before = log()
    npmTest(['outage.browser', '--listTests'])
    expect(log()).toBe(before)
  }, 120_000)

  test('error: if it cannot be installed, the last lines list the tests that did not run', () => {
    aptGet('echo "E: no way" >&2; exit 100')
    const { status, stdout, stderr } = npmTest(['tests/e2e/src/browser/outage.browser'])
    expect(status).toBe(0)
    const why = isRoot ? 'apt-get could not install chromium (E: no way)' : 'only root may install packages'
    const [summary, ending] = stderr.split(/(?=^No browser: )/m)
    expect(summary).toMatch(/^Tests: +6 skipped, 6 total$/m)
    expect(ending).toMatch(/^No browser: 6 tests were not run, because /)
    expect(ending).toContain(why)
    expect(ending?.trim().split('\n')).toHaveLength(7)
    expect(ending).toContain(
      '\n  an outage › behavior: reports a missing network, even on a page without any answer so far\n',
    )
    expect(stdout.includes('… failed')).toBe(isRoot)
  }, 120_000)
})
