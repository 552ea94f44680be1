import { decode as decodeWire, signedQuoteShape } from '@firmquote/core/wire'
import { signedQuoteShape as sdkShape } from '../../../packages/sdk/src/generated/decoders.ts'
import { compareRates, createSide } from '../compare.ts'
import { ratioOf } from '../figures.ts'
import { freshQuoteTexts } from '../quotes.ts'
import type { Row } from '../row.ts'

/** Decoding caches nothing, so inputs may be reused. Creating inputs takes much longer than decoding them. */
const texts = freshQuoteTexts(4_096)
let next = 0
const takeTexts = (count: number): string[] => Array.from({ length: count }, () => texts[next++ % texts.length] ?? '')

/** Decoding a signed quote from JSON, as in the service and the SDK. */
export const decode: Row = {
  id: 'decode',
  about: 'decoding a signed quote as the service and as the SDK do, against JSON.parse alone',
  async run(context) {
    const rates = await compareRates(
      {
        service: createSide(takeTexts, (text) => {
          const decoded = decodeWire(signedQuoteShape, JSON.parse(text))
          return decoded.ok && decoded.value
        }),
        SDK: createSide(takeTexts, (text) => sdkShape(JSON.parse(text), '')),
        JSON: createSide(takeTexts, (text) => JSON.parse(text)),
      },
      context,
    )
    return {
      decodeInService: ratioOf(rates.service, rates.JSON, '/s'),
      decodeInSdk: ratioOf(rates.SDK, rates.JSON, '/s'),
    }
  },
}
