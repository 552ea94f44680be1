import type { Endpoint } from '@firmquote/core/endpoints'

/** The path of an endpoint in Express's syntax. */
export function expressPath({ root, path }: Pick<Endpoint, 'root' | 'path'>): string {
  return (root ? '' : '/api/v1') + path.replaceAll(/\{(\w+)\}/g, ':$1')
}
