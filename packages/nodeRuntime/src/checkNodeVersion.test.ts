import { describe, expect, test } from '@jest/globals'
import { checkNodeVersion } from './checkNodeVersion.ts'

describe('checkNodeVersion', () => {
  test('default', () => {
    for (const version of ['22.12.0', '22.20.1', '24.0.0', '30.1.2'])
      expect(() => checkNodeVersion('the server', version)).not.toThrow()
  })

  test('error: an older Node.js version', () => {
    for (const version of ['20.19.0', '22.11.9']) {
      expect(() => checkNodeVersion('the server', version)).toThrow(
        `This is Node ${version}; the server needs Node 22.12 or newer (https://nodejs.org).`,
      )
    }
  })
})
