import { decode as decodeWire, signedQuoteShape } from '@firmquote/core/wire'
import { signedQuoteShape as sdkShape } from '../../../packages/sdk/src/generated/decoders.ts'
import { compareRates, createSide, describeRates } from '../compare.ts'
import { goals } from '../goals.ts'
import type { Row } from '../row.ts'
import { freshQuoteTexts } from '../sampleQuotes.ts'

/** Decoding a signed quote from its text, on both sides of the wire. */
export const decode: Row = {
  id: 'decode',
  about: 'decoding a signed quote as the service and as the SDK do, against JSON.parse alone',
  async run(context) {
    const json = createSide('JSON.parse', freshQuoteTexts, (text) => JSON.parse(text))
    const service = createSide('service', freshQuoteTexts, (text) => {
      const decoded = decodeWire(signedQuoteShape, JSON.parse(text))
      return decoded.ok && decoded.value
    })
    const sdk = createSide('SDK', freshQuoteTexts, (text) => sdkShape(JSON.parse(text), ''))
    const inService = await compareRates({ ours: service, theirs: json }, context)
    const inSdk = await compareRates({ ours: sdk, theirs: json }, context)
    const finding = { rival: '`JSON.parse` alone', unit: 'x' as const }
    return {
      findings: [
        {
          ...finding,
          what: 'decode a signed quote, as the service does',
          figure: inService.ratio,
          ...goals.decodeInService,
          notes: [describeRates(inService, '/s')],
        },
        {
          ...finding,
          what: 'decode a signed quote, as the SDK does',
          figure: inSdk.ratio,
          ...goals.decodeInSdk,
          notes: [describeRates(inSdk, '/s')],
        },
      ],
    }
  },
}
