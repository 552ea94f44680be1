import { type Checkpoint, cosign, judgeCheckpoint } from '@firmquote/verify'
import type { Offer, WitnessPlace } from '../../../apps/server/src/app/proofs/witnesses.ts'
import type { Process } from './instanceState.ts'
import { epoch } from './life.ts'
import type { ProofRules } from './proofRules.ts'
import type { Random } from './random.ts'
import { logKey, signAsWitness, witnessKey } from './simKeys.ts'
import type { Timeline } from './timeline.ts'
import type { Trace } from './trace.ts'

/** The log's only witness. Its last checkpoint is on disk, and survives everything. */
export type SimWitness = ReturnType<typeof createSimWitness>

/** Largest error of a witness's clock, in milliseconds. */
const maxSkewMs = 4_000
/** Milliseconds before a witness that failed is asked again. */
const pauseMs = 2_000

/** Creates a witness that follows c2sp.org/tlog-witness. It is sometimes slow, and its answers sometimes get lost. */
export function createSimWitness({
  timeline,
  trace,
  random,
  rules,
}: {
  timeline: Timeline
  trace: Trace
  random: Random
  rules: ProofRules
}) {
  const skew = random.between(-maxSkewMs, maxSkewMs)
  let last: Checkpoint | null = null
  let downUntil = 0

  const travel = () => (random.chance(0.1) ? random.between(1_000, 19_000) : random.between(1, 100))
  const later = (run: () => void) => void timeline.at(timeline.now() + travel(), run)

  const answer = async (offer: Offer, place: WitnessPlace, isAlive: () => boolean) => {
    if (timeline.now() < downUntil) return later(() => isAlive() && place.pause(pauseMs))
    const verdict = await judgeCheckpoint(offer, { log: logKey, last })
    if (verdict.action === 'resync') return later(() => isAlive() && place.resync(verdict.size))
    if (verdict.action === 'suspect') return rules.suspected(verdict.reason)
    last = verdict.checkpoint
    if (random.chance(0.05)) {
      trace.note('cosignature lost')
      return later(() => isAlive() && place.pause(pauseMs))
    }
    const { size, note } = verdict.checkpoint
    const time = Math.floor((epoch + timeline.now() + skew) / 1_000)
    const line = await cosign(note.text, { key: witnessKey, sign: signAsWitness, time })
    later(async () => {
      if (!isAlive()) return
      const refused = await place.cosign(size, line)
      trace.note(refused === null ? 'cosigned' : 'cosignature refused', `${size} ${time}`)
      if (refused === null) rules.cosigned(size, time)
    })
  }

  return {
    /** Connects the witness to a process. */
    async join({ life, service }: Process): Promise<void> {
      const joined = await service.proofs?.witnesses.join(
        {
          ...{ key: witnessKey, maker: null },
          send: (offer) => later(() => life.isAlive() && answer(offer, place, life.isAlive)),
        },
        last?.size ?? 0,
      )
      if (!joined || 'code' in joined) throw new TypeError('The witness was not admitted.')
      const place = joined
    },
    /** Stops the witness for some time. */
    stopFor(milliseconds: number) {
      downUntil = Math.max(downUntil, timeline.now() + milliseconds)
    },
  }
}
