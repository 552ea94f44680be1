/** Returns the name of a contract's or adapter's constant: `generalAdapter1` becomes `GENERAL_ADAPTER1_ADDRESS`. */
export function constantName(name: string): string {
  return `${name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()}_ADDRESS`
}
