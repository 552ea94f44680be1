import { globSync, readFileSync } from 'node:fs'
import type { BaseError } from '@firmquote/core'
import { expect, test } from '@jest/globals'
import { ChainUnavailableError, InvalidInputError } from './coreErrors.ts'
import { DaemonError, DaemonSocketError } from './daemon/rfqDaemonErrors.ts'
import * as errors from './errors.ts'
import { SettleInterruptedError } from './settling/settle.ts'
import { TakeInterruptedError } from './taking/takeBest.ts'

const text = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

const samples: BaseError[] = [
  new InvalidInputError('m'),
  new ChainUnavailableError('m'),
  new errors.ServiceError('POOL_NOT_FOUND', 'm'),
  new errors.ConnectionError('m', { sent: 'no' }),
  new errors.TimeoutError('m', { sent: 'no', timeoutMs: 1 }),
  new errors.AbortedError({ sent: 'no' }),
  new errors.InvalidResponseError('m'),
  new errors.StreamError('STREAM_INTERRUPTED', 'm', { rfqId: null }),
  new errors.AuthenticationError('bad_signature', 'm'),
  new SettleInterruptedError({ receipts: [], cause: null }),
  new TakeInterruptedError('m', { taken: [], unknown: null, cause: null }),
  new errors.SignerError('SIGNER_MISSING', 'm'),
  new errors.WebSocketMissingError(),
  new DaemonSocketError('missing', '/s', 'm'),
  new DaemonError(-32_000, 'm'),
]

test('behavior: every error has a heading in the published ERRORS.md', () => {
  const headings = [...text('ERRORS.md').matchAll(/^## (.+)$/gm)].map(([, title = '']) => title)
  expect(JSON.parse(text('package.json')).files).toContain('ERRORS.md')
  expect(headings).toEqual(samples.map((error) => error.constructor.name))
  for (const error of samples) {
    expect(error.docsPath).toBe(`@firmquote/sdk/ERRORS.md#${error.constructor.name.toLowerCase()}`)
    expect(error.message).toContain(`/${error.version}/files/ERRORS.md#${error.constructor.name.toLowerCase()}\n`)
    expect(error.version).toMatch(/^@firmquote\/sdk@/)
  }
  const classes = Object.values(errors).filter((value) => value !== errors.ClientError)
  expect(classes.filter((value) => !samples.some((error) => error.constructor === value))).toEqual([])
})

test('behavior: ERRORS.md states the code, the message, the condition and the remedy of every error', () => {
  const source = globSync('{.,../core}/src/**/*.ts', { cwd: new URL('..', import.meta.url) })
    .filter((path) => !path.endsWith('.test.ts'))
    .map(text)
    .join('\n')
  const sections = text('ERRORS.md').split(/^## /m).slice(1)
  expect(sections).toHaveLength(samples.length)
  for (const [index, section] of sections.entries()) {
    const [, labels = ''] = /\n\n((?:- \*\*| {2}).*?)(?:\n\n|$)/s.exec(section) ?? []
    expect([...labels.matchAll(/^- \*\*(.+?):\*\*/gm)].map(([, label]) => label)).toEqual([
      'Code',
      'Message',
      'When',
      'What to do',
    ])
    expect(section).toContain(`\`${samples[index]?.code}\``)
    // Each quoted message is in the code. `…` stands for a value.
    const [, message = ''] = /^- \*\*Message:\*\* (.+)$/m.exec(labels) ?? []
    for (const [, quoted = ''] of message.matchAll(/`([^`]+)`/g)) {
      for (const part of quoted.split('…').filter((part) => part.length > 1)) expect(source).toContain(part)
    }
  }
})
