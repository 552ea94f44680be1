import { expect, test } from '@jest/globals'
import { hideSecrets } from './hideSecrets.ts'

test('default: wherever they turn up', () => {
  expect(hideSecrets('at a.b, at a.b', ['a.b', ''])).toBe('at <hidden>, at <hidden>')
})

test('behavior: one that is part of another leaves nothing of it', () => {
  expect(hideSecrets('nats://token@host', ['token', 'nats://token@host'])).toBe('<hidden>')
})
