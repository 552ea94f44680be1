/** Returns the name of a contract's or adapter's constant: `generalAdapter1` becomes `GENERAL_ADAPTER1_ADDRESS`. */
export function constantName(name: string): string {
  return `${inCapitals(name)}_ADDRESS`
}

/** Returns the name of a deployment's constant: `my-deployment` becomes `MY_DEPLOYMENT`, and `10` `DEPLOYMENT_10`. */
export function deploymentName(stem: string): string {
  const name = inCapitals(stem).replace(/[^A-Z0-9]+/g, '_')
  return /^[A-Z]/.test(name) ? name : `DEPLOYMENT_${name}`
}

function inCapitals(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()
}
