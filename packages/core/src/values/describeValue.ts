const maxShown = 42
const amount = /^[-+]?[0-9][0-9.,_]*(?:[eE][-+]?[0-9]+)?$/
const address = /^0x[0-9a-f]{40}$/i
const widestShown = /* @__PURE__ */ (() => 2n ** 128n)()

/**
 * Describes a wrong argument in an error. Amounts and addresses are shown. For other values, only kind and size are
 * shown: the value may be a key, a signature or a URL with credentials in the wrong argument.
 */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'number':
    case 'boolean':
    case 'undefined':
      return String(value)
    case 'bigint':
      return describeInteger(value)
    case 'string':
      if (value === '') return 'an empty string'
      return value.length <= maxShown && (amount.test(value) || address.test(value))
        ? `'${value}'`
        : `a string of ${value.length} characters`
    case 'object':
      return value === null ? 'null' : 'an object'
    default:
      return `a ${typeof value}`
  }
}

/** A private key has up to 256 bits. An amount rarely has more than 128. */
function describeInteger(value: bigint): string {
  if (value > -widestShown && value < widestShown) return `${value}n`
  return `a bigint of ${value.toString(2).replace('-', '').length} bits`
}
