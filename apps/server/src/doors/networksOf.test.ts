import { expect, test } from '@jest/globals'
import { networksOf } from './networksOf.ts'

test.each([
  ['203.0.113.7', ['203.0.113.7']],
  ['::ffff:203.0.113.7', ['203.0.113.7']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
  ['2001:DB8:1::6', ['2001:db8:1:0::/64', '2001:db8:1::/48']],
  ['::1', ['0:0:0:0::/64', '0:0:0::/48']],
  [undefined, ['unknown']],
])('default: %s counts for %p', (ip, networks) => {
  expect(networksOf(ip)).toEqual(networks)
})
