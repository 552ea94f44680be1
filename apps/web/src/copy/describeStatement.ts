import type { Statement } from '@firmquote/verify'
import type { ProofsTexts } from './enProofs.ts'
import { explainCode } from './explainRejection.ts'
import type { Words } from './words.ts'

/** A proof's statement in a sentence for people, without ids and hashes. Pure. */
export function describeStatement(
  statement: Statement,
  { statements: texts }: ProofsTexts,
  { texts: common, formats }: Pick<Words, 'texts' | 'formats'>,
): string {
  switch (statement.code) {
    case 'ownKey':
      return texts.ownKey(statement.log)
    case 'opened':
      return texts.opened(formats.second(statement.terms.openedAt / 1000n))
    case 'quotes':
      return texts.quotes(statement.hashes.length)
    case 'unknownRules':
      return texts.unknownRules(statement.version)
    case 'late': {
      const { ms, interrupted } = statement
      const time = ms < 1000n ? `${formats.count(ms)} ms` : formats.duration(Number(ms / 1000n))
      return (interrupted ? texts.lateOutage : texts.late)(time)
    }
    case 'quote':
      return texts.quote(formats.address(statement.maker))
    case 'omitted':
      return texts.omitted(formats.address(statement.maker))
    case 'unclosed':
      return statement.isProved ? texts.unclosed(formats.second(statement.mergeBy)) : texts.unclosedOnly
    case 'backdated': {
      const time = formats.second(statement.openedAt / 1000n)
      return (statement.isProved ? texts.backdated : texts.backdatedOnly)(time)
    }
    case 'fork':
      return texts.fork(formats.count(statement.size))
    case 'refused':
      return texts.refused(formats.address(statement.maker), explainCode(statement.reason, common) ?? '').trimEnd()
    case 'notJudged':
      return statement.block === null ? texts.notJudged : texts.notJudgedAt(formats.count(statement.block))
    case 'witness':
      return texts.witness(statement.name, formats.second(statement.time))
    case 'otherWitnesses':
      return texts.otherWitnesses(statement.count)
    default:
      return texts[statement.code]
  }
}
