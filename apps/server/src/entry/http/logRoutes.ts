import { encodeEntries, parseTilePath, type Tile, widthOf } from '@firmquote/verify'
import type { Express, Request, Response } from 'express'
import type { ProofService } from '../../app/proofs/proofService.ts'
import { requireNoQuery } from './decodeRequest.ts'
import type { HttpContext } from './httpContext.ts'
import type { limitReads } from './limitReads.ts'
import { allow, answer, sendJson } from './responses/answer.ts'
import { ProblemError } from './responses/problem.ts'

/** The cost of a tile, see `readCosts`. Checkpoints are held in memory and free. */
const tileCost = 1
/** A tile of a given width never changes. */
const immutable = { 'Cache-Control': 'public, max-age=31536000, immutable' }
const checkpointHeaders = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=1' }

/** Adds the log of provable auctions (c2sp.org/tlog-tiles), below the paths `/log` and `/log/<n>`. */
export function addLogRoutes(
  app: Express,
  { service: { proofs } }: HttpContext,
  chargeRead: ReturnType<typeof limitReads>,
): void {
  if (!proofs) return
  const { log } = proofs

  app
    .route('/log')
    .get((req, res) => {
      requireNoQuery(req)
      sendJson(res, 200, { logs: [proofs.describe()] })
    })
    .all(allow('GET'))

  app
    .route(`${log.url}/checkpoint`)
    .get((req, res) => {
      requireNoQuery(req)
      const newest = log.newest()
      if (!newest) throw notFound('The log has no checkpoint yet.')
      answer(res, 200, checkpointHeaders, newest.note)
    })
    .all(allow('GET'))

  app
    .route(`${log.url}/tile/*path`)
    .get(async (req: Request, res: Response) => {
      chargeRead(tileCost, req)
      requireNoQuery(req)
      const tile = parseTilePath(req.path.slice(log.url.length + 1))
      const bytes = tile && (await readTile(proofs, tile))
      if (!bytes) throw notFound('The log has no such tile.')
      answer(res, 200, { 'Content-Type': 'application/octet-stream', ...immutable }, bytes)
    })
    .all(allow('GET'))
}

/** The bytes of a tile that the newest checkpoint has, or null. */
async function readTile({ log, store }: ProofService, { level, index, width }: Tile): Promise<Buffer | null> {
  const size = log.newest()?.size ?? 0
  if (widthOf(level === 'entries' ? 0 : level, index, size) < width) return null
  if (level === 'entries') {
    const first = index * 256
    return Buffer.from(encodeEntries(await store.listEntries(log.id, first, first + width)))
  }
  const hashes = await store.findTile(log.id, level, index)
  return hashes && Buffer.from(hashes.subarray(0, width * 32))
}

function notFound(detail: string): ProblemError {
  return new ProblemError({ code: 'NOT_FOUND', detail })
}
