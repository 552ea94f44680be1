import type { QuoteDomain, ServiceConfig } from '@firmquote/core'
import { formatKey, formatNote, parseNote, parseSignature } from '@firmquote/verify'
import { promiseSeconds } from '../../domain/receipts.ts'
import type { ServiceClock } from '../../ports/referenceClock.ts'
import type { ProofStore } from '../../ports/store.ts'
import type { ReadStanding } from '../makers/makerStanding.ts'
import type { Log, ProofDeps } from '../serviceDeps.ts'
import { type AuctionProofs, createAuctionProofs } from './auctionProofs.ts'
import { readLogHashes } from './logHashes.ts'
import { createProofLog, type ProofLog, type PublishedCheckpoint } from './proofLog.ts'
import { type Cosigned, createWitnesses, type Witnesses } from './witnesses.ts'

/** A log in `GET /log`. `time` is in Unix seconds. */
export type DescribedLog = {
  origin: string
  url: string
  key: string
  size: number
  /** In base64. Null, like `publishedAt`, until the first checkpoint. */
  root: string | null
  publishedAt: number | null
  cosigners: { key: string; time: number }[]
}

/** The use cases of provable auctions. */
export type ProofService = {
  /** The log. Its newest checkpoint has the witnesses' signatures that have arrived. */
  log: ProofLog
  witnesses: Witnesses
  auctions: AuctionProofs
  store: Pick<ProofStore, 'listEntries' | 'findTile'>
  /** The log for `GET /config`. */
  config: NonNullable<ServiceConfig['proofs']>
  describe(): DescribedLog
}

/** Creates {@link ProofService}. */
export function createProofService(
  deps: ProofDeps,
  {
    clock,
    log,
    domain,
    readStanding,
  }: { clock: ServiceClock; log: Log; domain: QuoteDomain; readStanding: ReadStanding },
): ProofService {
  const { store, keys } = deps
  const proofLog = createProofLog(deps, { clock, log, onPublished: () => witnesses.published() })
  const { id, origin, url } = proofLog
  const witnesses = createWitnesses({
    log: {
      origin,
      head() {
        const newest = proofLog.isHeld() ? null : proofLog.newest()
        return newest && { origin, ...newest }
      },
      consistencyPath: (from, size) => readLogHashes(store, id, size).consistencyPath(from, size),
    },
    ...{ clock, readStanding, logger: log },
  })
  const key = formatKey(proofLog.key)
  let known: { of: Cosigned | null; is: PublishedCheckpoint | null } = { of: null, is: null }
  const cosigned = () => {
    const signed = witnesses.cosigned()
    if (known.of !== signed) known = { of: signed, is: withCosignatures(key, signed) }
    return known.is
  }
  const newest = () => {
    const [own, signed] = [proofLog.newest(), cosigned()]
    return signed && signed.size === own?.size ? signed : own
  }
  const stop = () => {
    witnesses.stop()
    return proofLog.stop()
  }
  return {
    log: { ...proofLog, newest, stop },
    witnesses,
    auctions: createAuctionProofs({ store, proofLog: { id, newest, cosigned }, domain, clock }),
    store,
    config: { origin, url, key, signers: [keys.signer], promiseSeconds },
    describe() {
      const own = proofLog.newest()
      const root = own && Buffer.from(own.root).toString('base64')
      const signed = witnesses.cosigned()
      const cosigners = signed?.head.size === own?.size ? (signed?.cosignatures ?? []) : []
      return {
        ...{ origin, url, key, size: own?.size ?? 0, root, publishedAt: own?.at ?? null },
        cosigners: cosigners.map(({ key, time }) => ({ key, time })),
      }
    },
  }
}

/** The checkpoint with its cosignatures, below the signature of the log with `key`. */
function withCosignatures(key: string, signed: Cosigned | null): PublishedCheckpoint | null {
  if (!signed) return null
  const { head, cosignatures } = signed
  const { text, signatures } = parseNote(head.note)
  return {
    ...head,
    note: formatNote({ text, signatures: [...signatures, ...cosignatures.map(({ line }) => parseSignature(line))] }),
    keys: [key, ...cosignatures.map((one) => one.key)],
  }
}
