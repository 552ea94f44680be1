import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { judgeReleaseConfig, loadReleaseConfig } from '../../../../scripts/release/releaseConfig.mjs'
import { root } from '../pack.ts'
import { config } from './config.ts'

describe('judgeReleaseConfig', () => {
  test('default: nothing is wrong with settings that are all there', () => {
    expect(judgeReleaseConfig(config)).toEqual([])
    expect(
      judgeReleaseConfig({ ...config, bugs: 'mailto:bugs@firmquote.example', author: 'Ann <ann@firmquote.example>' }),
    ).toEqual([])
  })

  test.each(Object.keys(config))('error: %s is not set', (name) => {
    const mistake = [expect.stringMatching(new RegExp(`^${name}: is not set; it is `))]
    expect(judgeReleaseConfig({ ...config, [name]: null })).toEqual(mistake)
    const { [name as keyof typeof config]: _, ...rest } = config
    expect(judgeReleaseConfig(rest)).toEqual(mistake)
  })

  test.each([
    ['repository', 'https://github.com/example/firmquote.git'],
    ['repository', 'https://gitlab.com/example/firmquote'],
    ['repository', 'git@github.com:example/firmquote.git'],
    ['homepage', 'http://firmquote.example'],
    ['homepage', 'firmquote.example'],
    ['bugs', 'bugs@firmquote.example'],
    ['author', ' '],
    ['author', 'Ann <ann>'],
    ['docs', 'https://firmquote.example/docs'],
    ['docs', 'https://firmquote.example/learn/'],
    ['docs', 3],
  ])('error: %s is no %s', (name, value) => {
    expect(judgeReleaseConfig({ ...config, [name]: value })).toEqual([
      expect.stringContaining(`${name}: is ${JSON.stringify(value)}; it must be `),
    ])
  })

  test('error: a name that is not known, and what is no object', () => {
    expect(judgeReleaseConfig({ ...config, licence: 'MIT' })).toEqual([
      expect.stringContaining('licence: is not known'),
    ])
    for (const value of [null, [], 'x']) expect(judgeReleaseConfig(value)).toEqual(['It is no object.'])
  })
})

test('error: nothing can be released with a file that has all names and no values', () => {
  const file = join(root, 'release.config.json')
  const names = Object.keys(JSON.parse(readFileSync(file, 'utf8')))
  expect(names.sort()).toEqual(Object.keys(config).sort())
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-config-'))
  try {
    const empty = join(folder, 'release.config.json')
    writeFileSync(empty, JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))))
    expect(() => loadReleaseConfig(empty)).toThrow(/Nothing can be released with .*\n {2}repository: is not set/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
