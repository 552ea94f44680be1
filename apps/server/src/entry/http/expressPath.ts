import type { Endpoint } from '@firmquote/core/endpoints'

/** Converts an endpoint's path to Express syntax. */
export function expressPath({ root, path }: Pick<Endpoint, 'root' | 'path'>): string {
  return (root ? '' : '/api/v1') + path.replaceAll(/\{(\w+)\}/g, ':$1')
}
