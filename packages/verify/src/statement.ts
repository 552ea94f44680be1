import type { Address, Hex } from 'viem'
import type { RecordOf } from './record.ts'
import type { openLeaf } from './structures.ts'

/**
 * A statement's content, for interfaces that use other words. Ids and hashes are hex; a witness's times and
 * `mergeBy` are in Unix seconds.
 */
export type Fact =
  /** The verifier trusts no log key, so the file's own is used. */
  | { code: 'ownKey'; log: string }
  /** The log has the auction's terms from its opening on. */
  | { code: 'opened'; publicRfqId: Hex; terms: RecordOf<typeof openLeaf.layout> }
  /** All quotes of the auction, by their `seq`. */
  | { code: 'quotes'; hashes: readonly Hex[] }
  /** Quotes whose makers are contracts. */
  | { code: 'contracts' }
  | { code: 'best' }
  | { code: 'unknownRules'; version: number }
  /** The close was this many milliseconds after the auction's end. */
  | { code: 'late'; ms: bigint; interrupted: boolean }
  | { code: 'unacknowledged' }
  /** The auction has this quote. */
  | { code: 'quote'; publicRfqId: Hex; hash: Hex; maker: Address }
  | { code: 'noRanking' }
  /** A receipt promised the quote, but the auction does not have it. */
  | { code: 'omitted'; hash: Hex; maker: Address }
  /** The log does not have the auction's close. Only a trusted witness shows that it was due. */
  | { code: 'unclosed'; publicRfqId: Hex; mergeBy: number }
  /** The log added the auction later than it says. `openedAt` is in Unix milliseconds. Only a trusted witness shows it. */
  | { code: 'backdated'; publicRfqId: Hex; openedAt: bigint }
  | { code: 'fork'; log: string; size: number }
  | { code: 'refused'; hash: Hex; maker: Address; reason: string }
  /** Whether a refusal was right can be judged again at `block`, if it names one. */
  | { code: 'notJudged'; block: bigint | null }
  | { code: 'witness'; name: string; time: number }
  | { code: 'otherWitnesses'; count: number }
  | { code: 'noWitness' }

/** One sentence about what a file shows, or does not. */
export type Statement = Fact & { isProved: boolean; text: string }

/** Puts a fact into words. */
export function toStatement(fact: Fact, isProved: boolean): Statement {
  return { ...fact, isProved, text: describe(fact, isProved) }
}

function describe(fact: Fact, isProved: boolean): string {
  const doubt = isProved ? '' : ' Only witnesses that you do not trust say so.'
  switch (fact.code) {
    case 'ownKey':
      return `The key of the log ${fact.log} is the file's own. Compare it with one that you trust.`
    case 'opened':
      return `The auction ${fact.publicRfqId.slice(2)} was opened with these terms before any maker could answer.`
    case 'quotes':
      return `It had exactly these ${fact.hashes.length} quotes, each signed for this market, ranked by price and arrival.`
    case 'contracts':
      return 'Quotes of contracts are not signed by a key. Check them on an archive node.'
    case 'best':
      return 'The best quotes are those that the published rules choose.'
    case 'unknownRules':
      return `The best quotes were chosen by rules of version ${fact.version}, which this verifier does not know.`
    case 'late':
      return `It was closed ${fact.ms} ms after its end${fact.interrupted ? ', because the service was down' : ''}.`
    case 'unacknowledged':
      return 'A quote that the service did not acknowledge would not be listed. Its maker can tell, but not prove it.'
    case 'quote':
      return `The auction ${fact.publicRfqId.slice(2)} has the quote ${fact.hash} of ${fact.maker}.`
    case 'noRanking':
      return 'The ranking and the best quotes are not shown.'
    case 'omitted':
      return `The service accepted the quote ${fact.hash} of ${fact.maker}, but its auction does not have it.`
    case 'unclosed':
      return `The auction ${fact.publicRfqId.slice(2)} was opened, but the log does not close it by ${fact.mergeBy} (Unix seconds).${doubt}`
    case 'backdated':
      return `The auction ${fact.publicRfqId.slice(2)} is dated ${fact.openedAt / 1_000n} (Unix seconds), but the log did not have it more than 60 s later.${doubt}`
    case 'fork':
      return `The log ${fact.log} signed two histories that differ in their first ${fact.size} entries.`
    case 'refused':
      return `The service refused the quote ${fact.hash} of ${fact.maker} with ${fact.reason}.`
    case 'notJudged':
      return `Whether it was right to is not shown. ${fact.block === null ? 'The refusal names no block.' : `Judge the quote again at block ${fact.block} of an archive node.`}`
    case 'witness':
      return `${fact.name}, which you trust, saw this history at ${fact.time} (Unix seconds).`
    case 'otherWitnesses':
      return `Cosigned by ${fact.count} witnesses that your policy does not name.`
    case 'noWitness':
      return 'No independent witness: the service could show others a different history.'
  }
}
