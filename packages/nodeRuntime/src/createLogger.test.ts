import { describe, expect, test } from '@jest/globals'
import { ConfigurationError } from './configurationError.ts'
import { createLogger } from './createLogger.ts'

function logged(level: string, write: (log: ReturnType<typeof createLogger>) => void): Record<string, unknown>[] {
  const lines: string[] = []
  write(createLogger({ level, secrets: ['http://node/secret-key', ''], stream: { write: (line) => lines.push(line) } }))
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

describe('createLogger', () => {
  test('default', () => {
    const [line] = logged('info', (log) => log.info({ rfqId: 'abc' }, 'auction opened'))
    expect(line).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      rfqId: 'abc',
      msg: 'auction opened',
    })
  })

  test('behavior: signatures and credentials are hidden, near the top and below', () => {
    const secret = '0xsigned'
    const lines = logged('info', (log) => {
      log.info({ signature: secret, quote: { signature: secret, maker: '0x1' } }, 'one')
      log.info(
        { message: { quote: { signature: secret } }, req: { headers: { authorization: secret, cookie: secret } } },
        'two',
      )
    })
    expect(JSON.stringify(lines)).not.toContain(secret)
    expect(lines[0]).toMatchObject({ quote: { maker: '0x1' } })
  })

  test('behavior: an error shows its causes and code, never a secret', () => {
    const cause = new TypeError('request to http://node/secret-key failed')
    const [line] = logged('warn', (log) =>
      log.warn({ err: new ConfigurationError('It does not work.', { cause }) }, 'failed'),
    )
    expect(JSON.stringify(line)).not.toContain('secret-key')
    expect(line).toMatchObject({
      err: { code: 'BAD_CONFIGURATION', stack: expect.stringContaining('TypeError: request to <hidden> failed') },
    })
  })

  test('behavior: the level decides', () => {
    expect(logged('silent', (log) => log.fatal('anything'))).toEqual([])
    expect(logged('error', (log) => log.warn('anything'))).toEqual([])
  })
})
