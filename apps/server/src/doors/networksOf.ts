import { isIPv6 } from 'node:net'

/**
 * The networks that an address counts for where connections are limited: an IPv4 address as it is, an IPv6 address by its
 * first 64 and its first 48 bits, since who has one of them usually has all.
 */
export function networksOf(ip: string | undefined): string[] {
  const address = (ip ?? '').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
  if (!isIPv6(address)) return [address || 'unknown']
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  const groups = [...first, ...Array<string>(zeros).fill('0'), ...last]
  const prefix = (count: number) =>
    `${groups
      .slice(0, count)
      .map((group) => Number.parseInt(group, 16).toString(16))
      .join(':')}::/${count * 16}`
  return [prefix(4), prefix(3)]
}
