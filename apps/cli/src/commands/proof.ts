import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { parseRfqId } from '@firmquote/core'
import { InvalidResponseError } from '@firmquote/sdk'
import { readAuctionProof } from '@firmquote/sdk/proofs'
import { closeEntry, decodeRecord, fromBase64, type ProofFile, verifyProof } from '@firmquote/verify'
import { connectService, type ServiceOptions } from '../connect.ts'
import { type Context, show } from '../context.ts'
import { NotExecutableError, ProofRefusedError, UsageError } from '../errors.ts'
import { parseTimeout } from '../proofs/parseTimeout.ts'

/** Options of `firmquote proof`. */
export type ProofOptions = ServiceOptions & { output?: string; timeout: string }

/**
 * Saves an auction's proof file, once it is verified. It also saves a proof which shows that the service broke its rules.
 *
 * @param given the borrower's secret id of the auction, or - for standard input.
 * @throws {NotExecutableError} if there is no proof, or none in time.
 * @throws {ProofRefusedError} if the file is not a proof of this auction.
 */
export async function proof(context: Context, given: string, options: ProofOptions): Promise<void> {
  const rfqId = parseRfqId(given === '-' ? (await context.standardInput()).trim() : given)
  if (!rfqId) throw new UsageError("The auction's id must be 32 lower-case hex digits.")
  context.hide(rfqId)
  const url = connectService(context, options).getConfig().orderbookUrl
  const source = { signal: context.signal, timeoutMs: parseTimeout(options.timeout) }
  const text = await readAuctionProof(url, rfqId, source).catch((error: unknown) => {
    throw notFound(error)
  })
  const verdict = await verifyProof(text)
  // The public id follows from the secret one (docs/decisions/0021-two-auction-ids.md).
  const publicRfqId = createHash('sha256').update(`firmquote-rfq|${rfqId}`).digest('hex').slice(0, 32)
  const file = options.output ?? `auction-${publicRfqId}.json`
  if (!verdict.isValid && verdict.cause === 'breach') {
    await writeNew(file, text)
    throw new ProofRefusedError(`The service broke its rules: ${verdict.reason} The file shows it: ${file}`)
  }
  if (!verdict.isValid) throw new ProofRefusedError(`The service sent a wrong proof: ${verdict.reason}`)
  if (auctionOf(verdict.file) !== publicRfqId)
    throw new ProofRefusedError('The service sent the proof of another auction.')
  await writeNew(file, text)
  const saved = { file, publicRfqId, statements: verdict.statements }
  show(context, options.json, saved, () => `Saved ${file}. To see what it proves: firmquote verify ${file}`)
}

function auctionOf(file: ProofFile): string | null {
  if (file.type !== 'auction') return null
  const bytes = fromBase64(file.close.record, 'The close')
  return decodeRecord(closeEntry.kind, closeEntry.layout, bytes).publicRfqId.slice(2)
}

/** The file has the auction's terms and quotes, so others must not read it. */
async function writeNew(file: string, text: string): Promise<void> {
  try {
    const handle = await open(file, 'wx', 0o600)
    await handle.writeFile(text).finally(() => handle.close())
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new UsageError(`${file} exists. Name another file with --output.`)
    throw new UsageError(`${file} cannot be written (${code}).`)
  }
}

function notFound(error: unknown): unknown {
  const status = error instanceof InvalidResponseError ? error.status : undefined
  if (status === 425)
    return new NotExecutableError('PROOF_NOT_READY', 'The log does not have the close of the auction yet.')
  if (status !== 404) return error
  return new NotExecutableError('PROOF_NOT_FOUND', 'The service does not know the auction, or does not prove it.')
}
