import { describe, expect, test } from '@jest/globals'
import { parseNatsAddress } from './natsAddress.ts'

describe('parseNatsAddress', () => {
  test.each([
    ['nats://127.0.0.1:4223', { servers: ['127.0.0.1:4223'] }],
    ['nats://bus', { servers: ['bus:4222'] }],
    ['nats://[::1]:5000', { servers: ['[::1]:5000'] }],
    ['nats://secret@bus', { servers: ['bus:4222'], token: 'secret' }],
    ['nats://me:s%40fe@bus', { servers: ['bus:4222'], user: 'me', pass: 's@fe' }],
    ['tls://me:safe@bus:1', { servers: ['bus:1'], user: 'me', pass: 'safe', tls: {} }],
    ['nats://t@one, nats://t@two:5', { servers: ['one:4222', 'two:5'], token: 't' }],
  ])('default: %s', (text, expected) => {
    expect(parseNatsAddress(text)).toEqual(expected)
  })

  test.each([
    '',
    'bus:4222',
    'http://hidden@bus',
    'nats://',
    'nats://hidden@bus:no',
    'nats://hidden@one,two',
    'nats://hidden@one,nats://other@two',
    'nats://me:hidden@one,nats://me:other@two',
    'nats://hidden@one,tls://hidden@two',
    'nats://hid%ZZden@one',
  ])('error: %s, without revealing the secret', (text) => {
    expect(() => parseNatsAddress(text)).toThrow(expect.objectContaining({ code: 'BAD_CONFIGURATION' }))
    expect(() => parseNatsAddress(text)).not.toThrow(/hid|other/)
  })
})
