/** A lending protocol's display name: `morpho-blue` becomes `Morpho Blue`. */
export function protocolName(protocol: string): string {
  return protocol
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ')
}
