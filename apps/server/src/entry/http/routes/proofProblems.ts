import type { NoProof } from '../../../app/proofs/auctionProofs.ts'
import type { ProofService } from '../../../app/proofs/proofService.ts'
import type { Service } from '../../../app/service.ts'
import { ProblemError, refusal } from '../responses/problem.ts'

/**
 * The service's proofs.
 *
 * @throws {ProblemError} RFQ_NOT_FOUND if they are off.
 */
export function proofsOf({ proofs }: Pick<Service, 'proofs'>): ProofService {
  if (proofs) return proofs
  throw new ProblemError({ code: 'RFQ_NOT_FOUND', detail: 'This service does not prove auctions.' })
}

/** Answers that there is no proof, and if it is not ready, when to retry. */
export function throwNoProof(reason: NoProof): never {
  switch (reason.code) {
    case 'RFQ_NOT_FOUND':
      throw new ProblemError({ code: reason.code, detail: 'There is no provable auction with this id.' })
    case 'QUOTE_NOT_FOUND':
      throw new ProblemError({ code: reason.code, detail: 'The auction has no quote of this maker.' })
    case 'PROOF_NOT_READY':
      throw refusal(reason, reason.retryAfterSeconds)
  }
}
