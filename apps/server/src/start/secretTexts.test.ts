import { redactSecrets } from '@firmquote/node-runtime/redactSecrets'
import { expect, test } from '@jest/globals'
import { secretTexts } from './secretTexts.ts'

const environment = {
  RPC_URL: 'https://node.example.com/v2/key, https://other.example.com/v2/token  http://last.example.com/third',
  DATABASE_URL: ' postgres://firmquote:pass%2Fword@db-1,db-2/firmquote ',
  NATS_URL: 'nats://token-of-nats@host:4222',
  PORT: '3005',
}

test.each([
  ['an address', 'at https://node.example.com/v2/key.', 'at <hidden>.'],
  ['one of several addresses', 'at https://other.example.com/v2/token.', 'at <hidden>.'],
  ['the last of several addresses', 'at http://last.example.com/third', 'at <hidden>'],
  ['an address with a password', 'at postgres://firmquote:pass%2Fword@db-1,db-2/firmquote', 'at <hidden>'],
  ['a part of one', 'at //firmquote:pass%2Fword@db-2/firmquote', 'at //<hidden>@db-2/firmquote'],
  ['a password as it is sent', 'for firmquote with pass/word', 'for firmquote with <hidden>'],
  ['a token', 'server token-of-nats@host refused', 'server <hidden>@host refused'],
  ['a text with none', 'the port 3005 of firmquote', 'the port 3005 of firmquote'],
])('default: %s', (_, text, hidden) => {
  expect(redactSecrets(text, secretTexts(environment))).toBe(hidden)
})

test('behavior: a short password is hidden only as part of its URL', () => {
  const texts = secretTexts({ DATABASE_URL: 'postgres://db:db@host/db' })
  expect(redactSecrets('the db at postgres://db:db@host/db', texts)).toBe('the db at <hidden>')
  expect(secretTexts({ DATABASE_URL: '', NATS_URL: 'nats://host' })).toEqual(['nats://host'])
  expect(secretTexts({ DATABASE_URL: 'postgres://user:100%@host' })).toEqual(['postgres://user:100%@host', 'user:100%'])
})
