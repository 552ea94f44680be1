import { ChainUnavailableError, type Rejection } from '@firmquote/core'
import { hashReadAuth, isReadAuthCurrent, parseReadAuthorization } from '@firmquote/core/protocol'
import { LRUCache } from 'lru-cache'
import { type Address, type Hex, isAddressEqual, keccak256 } from 'viem'
import { banRejection, judgeAdmission } from '../../domain/controls/judgeAdmission.ts'
import { OverloadedError } from '../../ports/errors.ts'
import { chainNow } from '../chain/chainNow.ts'
import type { ControlPlane } from '../control/controls.ts'
import type { Outcome } from '../outcome.ts'
import type { ServiceDeps } from '../serviceDeps.ts'

/** Maximum concurrent signature checks. Each check delays a request. */
const maxRunning = 1_000
/** Capacity of the cache for valid signatures. */
const maxKnown = 10_000
/**
 * Milliseconds for which a contract's approval is cached. Short, because the contract may withdraw its approval.
 */
const contractMs = 30_000

/** Why a maker may not read. */
type MakerRefusal = Extract<Rejection, { code: 'UNAUTHENTICATED' | 'RATE_LIMITED' | 'MAKER_BANNED' }>

/**
 * Verifies a maker's `Authorization` header and returns the maker's address.
 *
 * @param request `audience` is the URL that must have been signed: the backer socket's public URL. `network` is the key
 * for the limit on contract signature checks. `allowList` contains the lower-case addresses of backers that may
 * connect; by default, all may.
 * @throws {ChainUnavailableError} if the node does not report whether a contract accepts the signature.
 * @throws {OverloadedError} if too many signatures are being checked.
 */
export type Authorize = (request: {
  authorization: string | undefined
  audience: string
  network: string
  allowList?: ReadonlySet<string>
}) => Promise<Outcome<Address, MakerRefusal>>

type Deps = Pick<ServiceDeps, 'chain' | 'clock' | 'signatures' | 'quotas' | 'domain'> & {
  controls: Pick<ControlPlane, 'current'>
}
type Signed = { backer: Address; digest: Hex; signature: Hex }

/**
 * Creates the check for a maker's `Authorization` header. Hashes of valid signatures are cached, so that a script that
 * reuses a signature rarely triggers a check. Signatures are not stored.
 */
export function createReadAuthorizations({ chain, clock, signatures, quotas, domain, controls }: Deps): Authorize {
  /** When each signature expires, in monotonic milliseconds. */
  const known = new LRUCache<string, number>({ max: maxKnown })
  let running = 0

  const check = async ({ backer, digest, signature }: Signed, network: string): Promise<MakerRefusal | null> => {
    const key = `${digest} ${keccak256(signature)}`
    if ((known.get(key) ?? 0) > clock.monotonic()) return null
    const recovery = await signatures.recoverSigner(digest, signature)
    if ('signer' in recovery && isAddressEqual(recovery.signer, backer)) {
      known.set(key, Number.POSITIVE_INFINITY)
      return null
    }
    // Every contract call counts towards the limit, even if the signature is valid. Otherwise, a contract's owner could
    // cause unlimited requests to the node by varying the nonce.
    const admitted = await quotas.admitCheck(`reader ${network}`)
    if (!admitted.ok) return { code: 'RATE_LIMITED', retryAfterSeconds: admitted.retryAfterSeconds }
    const accepted = await chain.readTakerSignature({ account: backer, digest, signature })
    if (accepted === null) throw new ChainUnavailableError('The maker contract did not respond in time.')
    if (!accepted) return { code: 'UNAUTHENTICATED', reason: 'bad_signature' }
    known.set(key, clock.monotonic() + contractMs)
    return null
  }

  return async ({ authorization, audience, network, allowList }) => {
    if (authorization === undefined) return refused('missing')
    const parsed = parseReadAuthorization(authorization)
    if (parsed === null) return refused('malformed')
    const { backer, timestamp, nonce, signature } = parsed
    if (!isReadAuthCurrent(timestamp, Number(chainNow(clock)))) return refused('timestamp_out_of_window')
    if (running >= maxRunning) throw new OverloadedError()
    running += 1
    try {
      const digest = hashReadAuth({ ...domain, backer, audience, nonce, timestamp })
      const rejection = await check({ backer, digest, signature }, network)
      if (rejection) return { ok: false, rejection }
    } finally {
      running -= 1
    }
    // Checked last, so that only a key's holder learns whether its address is banned or on the list.
    const refusal = judgeAdmission(backer, { controls: controls.current(), now: clock.now(), allowList })
    if (refusal?.code === 'banned') return { ok: false, rejection: banRejection(refusal.ban) }
    if (refusal) return refused(refusal.code)
    return { ok: true, value: backer }
  }
}

function refused(reason: Extract<MakerRefusal, { code: 'UNAUTHENTICATED' }>['reason']): Outcome<never, MakerRefusal> {
  return { ok: false, rejection: { code: 'UNAUTHENTICATED', reason } }
}
