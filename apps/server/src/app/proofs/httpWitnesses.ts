import { addCheckpointBody, type HttpWitness, judgeWitnessAnswer } from '../../domain/addCheckpoint.ts'
import type { PostCheckpoint } from '../../ports/postCheckpoint.ts'
import type { Offer, Witnesses, WitnessPlace } from './witnesses.ts'

/** Dependencies of {@link startHttpWitnesses}. */
export type HttpWitnessesDeps = {
  witnesses: Pick<Witnesses, 'join'>
  post: PostCheckpoint
  logger: { warn(facts: object, message: string): void }
}

const firstPauseMs = 1_000
const maxPauseMs = 60_000

/**
 * Asks the operator's witnesses to sign the log's checkpoints (c2sp.org/tlog-witness). A witness that fails is asked again
 * after a growing pause.
 */
export async function startHttpWitnesses(
  configured: readonly HttpWitness[],
  deps: HttpWitnessesDeps,
): Promise<{ stop(): void }> {
  const stopping = new AbortController()
  for (const witness of configured) await startOne(witness, deps, stopping.signal)
  return { stop: () => stopping.abort() }
}

async function startOne(
  { key, url }: HttpWitness,
  { witnesses, post, logger }: HttpWitnessesDeps,
  stopping: AbortSignal,
): Promise<void> {
  let place: WitnessPlace | null = null
  let pauseMs = firstPauseMs
  const fail = (facts: object) => {
    if (stopping.aborted) return
    logger.warn({ witness: key.name, ...facts }, 'a witness did not sign the checkpoint; will retry')
    place?.pause(pauseMs)
    pauseMs = Math.min(2 * pauseMs, maxPauseMs)
  }
  const ask = async ({ size, note, from, path }: Offer) => {
    const answer = await post(url, addCheckpointBody({ from, path, note }), stopping)
    const verdict = judgeWitnessAnswer(answer, { key, from })
    if (verdict.kind === 'failed') return fail({ reason: verdict.reason })
    if (verdict.kind === 'resync') {
      // A witness that names a new size each time must not be asked without a pause.
      if (pauseMs > firstPauseMs) place?.pause(pauseMs)
      pauseMs = Math.min(2 * pauseMs, maxPauseMs)
      return place?.resync(verdict.size)
    }
    const refused = await place?.cosign(size, verdict.line)
    if (refused) return fail({ reason: refused })
    pauseMs = firstPauseMs
  }
  const send = (offer: Offer) => void ask(offer).catch((err: unknown) => fail({ err }))
  const joined = await witnesses.join({ key, maker: null, send }, 0)
  if ('code' in joined) return logger.warn({ witness: key.name, reason: joined.message }, 'a witness was not admitted')
  place = joined
}
