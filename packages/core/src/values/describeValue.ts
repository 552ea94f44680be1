const maxShown = 42
const amount = /^[-+]?[0-9][0-9.,_]*(?:[eE][-+]?[0-9]+)?$/
const address = /^0x[0-9a-f]{40}$/i
const widestShown = /* @__PURE__ */ (() => 2n ** 128n)()

/**
 * Describes an invalid argument for an error. Amounts and addresses are shown in full. For other values, only the type
 * and size are shown, because they may be keys, signatures or URLs with credentials, passed by mistake.
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

/**
 * Shows a bigint unless it may be a private key: keys have up to 256 bits, whereas amounts rarely have more than 128.
 */
function describeInteger(value: bigint): string {
  if (value > -widestShown && value < widestShown) return `${value}n`
  return `a bigint of ${value.toString(2).replace('-', '').length} bits`
}
