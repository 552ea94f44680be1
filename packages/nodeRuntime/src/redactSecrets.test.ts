import { expect, test } from '@jest/globals'
import { redactSecrets } from './redactSecrets.ts'

test('default: wherever they turn up', () => {
  expect(redactSecrets('at a.b, at a.b', ['a.b', ''])).toBe('at <hidden>, at <hidden>')
})

test('behavior: a secret that is part of another leaves no remainder', () => {
  expect(redactSecrets('nats://token@host', ['token', 'nats://token@host'])).toBe('<hidden>')
})
