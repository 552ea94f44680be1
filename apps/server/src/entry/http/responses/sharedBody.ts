// Why: docs/decisions/0031-connection-limits.md
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/**
 * A body that is the same for all clients. The body is encoded once in every encoding, each with its own strong ETag.
 */
export type SharedBody = {
  contentType: string
  encodings: { readonly identity: Encoded; readonly br?: Encoded; readonly gzip?: Encoded }
}

type Encoded = { bytes: Buffer; tag: string }

/** Creates a shared body from bytes and any compressed copies. */
export function createSharedBody(
  contentType: string,
  { identity, br, gzip }: { identity: Buffer; br?: Buffer | undefined; gzip?: Buffer | undefined },
): SharedBody {
  return {
    contentType,
    encodings: { identity: encoded(identity), ...(br && gzip && { br: encoded(br), gzip: encoded(gzip) }) },
  }
}

function encoded(bytes: Buffer): Encoded {
  return { bytes, tag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}

/** Creates a shared body from text, compressed off the event loop. */
export async function packSharedBody(contentType: string, text: string): Promise<SharedBody> {
  const identity = Buffer.from(text)
  // The usual level for compression at runtime. The highest level takes 100 times as long.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length }
  const [br, gzipped] = await Promise.all([packWithBrotli(identity, { params }), pack(identity)])
  return createSharedBody(contentType, { identity, br, gzip: gzipped })
}

const [pack, packWithBrotli] = [promisify(gzip), promisify(brotliCompress)]
