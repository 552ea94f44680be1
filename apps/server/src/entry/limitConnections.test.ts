import { expect, test } from '@jest/globals'
import { networksOf } from './limitConnections.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1::', '2001:db8:1:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  [undefined, 'unknown'],
])('behavior: %s counts as %s', (ip, address) => {
  expect(networksOf(ip).address).toBe(address)
})

test('behavior: an IPv6 address also counts towards its /48, an IPv4 address towards nothing wider', () => {
  expect(networksOf('2001:db8:1:2:3:4:5:6').wider).toBe('2001:db8:1::/48')
  expect(networksOf('2001:DB8:1:ffff::1').wider).toBe('2001:db8:1::/48')
  expect(networksOf('2001:db8:2::').wider).toBe('2001:db8:2::/48')
  for (const ip of ['203.0.113.7', '::ffff:203.0.113.7', undefined]) expect(networksOf(ip).wider).toBeUndefined()
})
