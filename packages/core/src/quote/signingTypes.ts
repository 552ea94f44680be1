import { backerAuthDomain, backerAuthPurpose, backerAuthTypes } from '../auth/backerAuth.ts'
import { readAuthPurpose } from '../auth/readAuth.ts'
import { takerAuthDomain, takerAuthPurpose, takerAuthTypes, takerRecordPurpose } from '../auth/takerAuth.ts'
import type { ServiceConfig } from '../generated/wireTypes.ts'
import { type QuoteDomain, quoteEip712Domain, quoteTypes } from './typedData.ts'

/**
 * Returns the EIP-712 types that a quote market's makers and takers sign, as data for programs that do not use this
 * package.
 */
export function signingTypes(domain: QuoteDomain): NonNullable<ServiceConfig['signing']> {
  const taker = { domain: takerAuthDomain(domain.chainId), type: typeString(takerAuthTypes) }
  const backer = { domain: backerAuthDomain(domain.chainId), type: typeString(backerAuthTypes) }
  return {
    quote: { domain: quoteEip712Domain(domain), type: typeString(quoteTypes) },
    backerAuth: { ...backer, purpose: backerAuthPurpose },
    readAuth: { ...backer, purpose: readAuthPurpose },
    takerAuth: { ...taker, purpose: takerAuthPurpose },
    takerRecordAuth: { ...taker, purpose: takerRecordPurpose },
  }
}

/** Returns a type's EIP-712 type string. */
function typeString(types: Readonly<Record<string, readonly { name: string; type: string }[]>>): string {
  return Object.entries(types)
    .map(([name, fields]) => `${name}(${fields.map(({ type, name: field }) => `${type} ${field}`).join(',')})`)
    .join('')
}
