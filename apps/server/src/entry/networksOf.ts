import { isIPv6 } from 'node:net'

/**
 * The networks that limits count by. An IPv4 address is its own network. An IPv6 address counts by its /64, because a client usually has all 2^64
 * addresses of it, and by its /48, because some clients have 2^16 networks of that.
 */
export function networksOf(ip: string | undefined): { address: string; wider?: string } {
  const address = (ip ?? '').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
  if (!isIPv6(address)) return { address: address || 'unknown' }
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  const groups = [...first, ...Array<string>(zeros).fill('0'), ...last].slice(0, 4)
  const digits = groups.map((group) => Number.parseInt(group, 16).toString(16))
  return { address: `${digits.join(':')}::/64`, wider: `${digits.slice(0, 3).join(':')}::/48` }
}
