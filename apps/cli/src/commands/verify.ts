import { encodeJson } from '@firmquote/core/utils'
import { signedQuoteShape } from '@firmquote/core/wire'
import { type RefusalProof, verifyProof } from '@firmquote/verify'
import { type ChainOptions, connectChain, parseRpcUrl, resolveContracts, type ServiceOptions } from '../connect.ts'
import type { Context } from '../context.ts'
import { decodeInput } from '../decodeInput.ts'
import { ProofRefusedError } from '../errors.ts'
import { printable } from '../format/printable.ts'
import { loadInput, parseObject } from '../proofs/loadInput.ts'
import { parsePolicy } from '../proofs/parsePolicy.ts'
import { type Finding, rejudgeRefusal } from '../proofs/rejudgeRefusal.ts'

/** Options of `firmquote verify`. */
export type VerifyOptions = ChainOptions & Omit<ServiceOptions, 'url'> & { policy?: string; quote?: string }

/**
 * Verifies a proof offline and explains it, one sentence for each statement. With a node, judges a refusal again.
 *
 * @throws {ProofRefusedError} if the file proves nothing.
 * @throws {UsageError} if an option or a file of an option is malformed.
 */
export async function verify(context: Context, file: string, options: VerifyOptions): Promise<void> {
  const policy = options.policy === undefined ? {} : parsePolicy(await loadInput(context, options.policy, 'The policy'))
  const rpcUrl = parseRpcUrl({ environment: {}, hide: context.hide }, options)
  const verdict = await verifyProof(await loadInput(context, file, 'The proof'), policy)
  if (!verdict.isValid) {
    if (options.json) context.write(`${encodeJson(verdict)}\n`)
    const isBreach = verdict.cause === 'breach'
    throw new ProofRefusedError(isBreach ? `The service broke its rules: ${verdict.reason}` : verdict.reason)
  }
  const { type } = verdict.file
  const statements: Finding[] = [...verdict.statements]
  if (rpcUrl !== undefined) statements.push(await judgeAgain(context, verdict.file, rpcUrl, options))
  const isProved = statements.some((statement) => statement.isProved)
  if (options.json) context.write(`${encodeJson({ isValid: true, isProved, type, statements })}\n`)
  else context.write(statements.map((statement) => `${render(context, statement)}\n`).join(''))
  if (!isProved) throw new ProofRefusedError('With this policy, the file proves nothing.')
}

async function judgeAgain(
  context: Context,
  file: { type: string },
  rpcUrl: string,
  options: VerifyOptions,
): Promise<Finding> {
  if (file.type !== 'refusal')
    return { isProved: false, text: `Nothing was checked with the node: a file of type ${file.type} needs none.` }
  const contracts = resolveContracts(options)
  const quote = options.quote === undefined ? undefined : await loadQuote(context, options.quote)
  const client = await connectChain(rpcUrl, contracts.chainId)
  return rejudgeRefusal(file as RefusalProof, { ...contracts, quote, client })
}

async function loadQuote(context: Context, file: string) {
  return decodeInput(
    signedQuoteShape,
    parseObject(await loadInput(context, file, 'The quote'), 'The quote'),
    'The quote',
  )
}

function render({ style }: Context, { isProved, text }: Finding): string {
  const label = isProved ? style.good('proved    ') : style.dim('not proved')
  return `${label}  ${printable(text)}`
}
