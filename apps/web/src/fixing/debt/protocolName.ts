/** Returns a lending protocol's display name, such as `Morpho Blue` for `morpho-blue`. */
export function protocolName(protocol: string): string {
  return protocol
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ')
}
