// Why: docs/decisions/0029-proof-of-taker.md
import { ChainUnavailableError, type RFQRequest } from '@firmquote/core'
import { hashTakerAuth, isTakerProofCurrent } from '@firmquote/core/protocol'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { agedDebt, olderBlocks } from '../../domain/debtAge.ts'
import { fixedPart, type TakerDebt } from '../../domain/takerDebt.ts'
import type { Pool } from '../../ports/chain.ts'
import { OverloadedError } from '../../ports/errors.ts'
import { chainNow } from '../chain/chainNow.ts'
import { chainRejection } from '../failure.ts'
import type { Outcome } from '../outcome.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import type { OpenRefusal } from './openRefusal.ts'

/** Maximum concurrent proof checks. The check delays the request, and the node answers many checks in one batch. */
const maxRunning = 1_000
/**
 * Maximum number of attempts to read a debt. A retry may be needed, because the sync may move during the read.
 */
const attempts = 3

type Deps = Pick<ServiceDeps, 'chain' | 'clock' | 'store' | 'signatures' | 'domain' | 'debtAgeBlocks'>

/**
 * Creates the check for a request's `takerProof`, which returns the taker's debt in the requested pool. The check
 * returns null for an unknown pool or a request without a proof. No part of a proof is stored.
 *
 * @param audience the service's public origin, which the proof must name.
 */
export function createTakerProofs({ chain, clock, store, signatures, domain, debtAgeBlocks = 0 }: Deps) {
  let running = 0

  const isSigned = async (taker: Address, digest: Hex, signature: Hex): Promise<boolean> => {
    const recovery = await signatures.recoverSigner(digest, signature)
    if ('signer' in recovery && isAddressEqual(recovery.signer, taker)) return true
    const accepted = await chain.readTakerSignature({ account: taker, digest, signature })
    if (accepted === null) throw new ChainUnavailableError('The taker contract did not respond in time.')
    return accepted
  }

  /**
   * Reads debt, index, positions and takes at a single block: the newest whose events are in the store. The debt is the
   * smallest one at this block and at older ones. A block that is not in the store counts as one without a debt.
   */
  const readDebt = async (taker: Address, pool: Pool): Promise<TakerDebt> => {
    const { poolId } = pool
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const { cursor, blocks } = await store.findSyncPosition()
      if (cursor === null) break
      const hashes = new Map(blocks.map(({ number, hash }) => [number, hash]))
      const readAt = (number: bigint) =>
        chain.readDebt({ pool, account: taker, block: { number, parentHash: hashes.get(number - 1n) } })
      const [newest, older, positions, taken] = await Promise.all([
        readAt(cursor.number),
        Promise.all(
          olderBlocks(cursor, debtAgeBlocks).map((number) => (hashes.has(number - 1n) ? readAt(number) : null)),
        ),
        store.listOpenPositions(taker),
        store.listTaken(taker),
      ])
      if (newest === null) throw new ChainUnavailableError("The pool's adapter did not return a debt or an index.")
      if ((await store.findSyncPosition()).cursor?.hash === cursor.hash) {
        const at = { index: newest.index, timestamp: cursor.timestamp }
        const fixed = fixedPart(positions, { taker, poolId }, at)
        return { taker, poolId, debt: agedDebt(newest, older), fixed, taken }
      }
    }
    throw new ChainUnavailableError("The synced block moved during each read of the taker's debt; retry the request.")
  }

  const prove = async (request: RFQRequest, audience: string): Promise<Outcome<TakerDebt | null, OpenRefusal>> => {
    const { taker, takerProof, poolId, shareRecord } = request
    if (takerProof === undefined) return { ok: true, value: null }
    if (taker === undefined) return invalid('no_taker')
    const { timestamp, signature } = takerProof
    if (!isTakerProofCurrent(timestamp, Number(chainNow(clock)))) return invalid('timestamp_out_of_window')
    const digest = hashTakerAuth({ ...domain, taker, audience, timestamp, shareRecord })
    if (!(await isSigned(taker, digest, signature))) return invalid('bad_signature')
    const pool = (await store.listPools()).find((known) => known.poolId === poolId)
    return { ok: true, value: pool ? await readDebt(taker, pool) : null }
  }

  return async (request: RFQRequest, audience: string): ReturnType<typeof prove> => {
    if (running >= maxRunning) return { ok: false, rejection: { code: 'OVERLOADED' } }
    running += 1
    try {
      return await prove(request, audience)
    } catch (error) {
      const rejection = chainRejection(error)
      if (rejection) return { ok: false, rejection }
      if (error instanceof OverloadedError) return { ok: false, rejection: { code: 'OVERLOADED' } }
      throw error
    } finally {
      running -= 1
    }
  }
}

function invalid(reason: 'no_taker' | 'timestamp_out_of_window' | 'bad_signature'): Outcome<never, OpenRefusal> {
  return { ok: false, rejection: { code: 'TAKER_PROOF_INVALID', reason } }
}
