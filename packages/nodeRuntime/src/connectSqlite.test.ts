import { describe, expect, test } from '@jest/globals'
import { describeForbiddenAddons } from './connectSqlite.ts'

describe('describeForbiddenAddons', () => {
  test.each([
    [
      '--no-addons in NODE_OPTIONS',
      { options: '--trace-warnings  --no-addons', argv: [] },
      'SQLite is a native add-on, which --no-addons in NODE_OPTIONS forbids; remove it.',
    ],
    [
      "--no-addons on Node's command line",
      { options: '--trace-warnings', argv: ['--no-addons'] },
      "SQLite is a native add-on, which --no-addons in Node's command line forbids; remove it.",
    ],
    [
      'the permission model in NODE_OPTIONS',
      { options: '--permission --allow-fs-read=*', argv: [] },
      'SQLite is a native add-on, which --permission in NODE_OPTIONS forbids; remove it, or add --allow-addons and --allow-worker.',
    ],
  ])('error: %s', (_, { options, argv }, message) => {
    expect(describeForbiddenAddons(options, argv)).toBe(message)
  })
})
