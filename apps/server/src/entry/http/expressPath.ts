import type { Endpoint } from '@firmquote/core/endpoints'

/** An endpoint's path in Express syntax. */
export function expressPath({ root, path }: Pick<Endpoint, 'root' | 'path'>): string {
  return (root ? '' : '/api/v1') + path.replaceAll(/\{(\w+)\}/g, ':$1')
}
