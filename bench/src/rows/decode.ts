import { decode as decodeWire, signedQuoteShape } from '@firmquote/core/wire'
import { signedQuoteShape as sdkShape } from '../../../packages/sdk/src/generated/decoders.ts'
import { compareRates, createSide, describeRates } from '../compare.ts'
import { ratioOf } from '../figures.ts'
import { goals } from '../goals.ts'
import type { Row } from '../row.ts'
import { freshQuoteTexts } from '../sampleQuotes.ts'

/** Decoding a signed quote from its text, on both sides of the wire. */
export const decode: Row = {
  id: 'decode',
  about: 'decoding a signed quote as the service and as the SDK do, against JSON.parse alone',
  async run(context) {
    const rates = await compareRates(
      {
        service: createSide(freshQuoteTexts, (text) => {
          const decoded = decodeWire(signedQuoteShape, JSON.parse(text))
          return decoded.ok && decoded.value
        }),
        SDK: createSide(freshQuoteTexts, (text) => sdkShape(JSON.parse(text), '')),
        JSON: createSide(freshQuoteTexts, (text) => JSON.parse(text)),
      },
      context,
    )
    return (['service', 'SDK'] as const).map((side) => ({
      what: `decode a signed quote, as the ${side} does`,
      rival: '`JSON.parse` alone',
      unit: 'x',
      figure: ratioOf(rates[side], rates.JSON),
      ...(side === 'SDK' ? goals.decodeInSdk : goals.decodeInService),
      notes: [describeRates(rates, '/s')],
    }))
  },
}
