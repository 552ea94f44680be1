import { proveTaker } from '@firmquote/sdk'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useChain } from '../chain/useChain.ts'
import { NotReadyError } from '../errors.ts'
import { serverNow, useServerNow } from './serverClock.ts'
import { useService } from './serviceContext.ts'
import { findProof, proofEnd, saveProof } from './takerProofs.ts'

/** A mutation that creates a taker proof for the connected account, and the proof's expiry. */
export type ProveTakerResult = UseMutationResult<void, Error, void> & {
  /** Unix seconds, or null if there is no proof. */
  provenUntil: number | null
}

/**
 * Asks the connected account to sign a taker proof, valid for one day. The proof is then included in auctions opened
 * for the account. Makers reserve more of their funds for a verified taker. The signature stays in memory until the
 * page reloads.
 *
 * Fails with `NotReadyError` if no wallet is connected to the right chain. For other errors, see the SDK's
 * `proveTaker`.
 *
 * @example
 * ```tsx
 * const { mutate, isPending, provenUntil } = useProveTaker()
 *
 * {provenUntil === null && <button disabled={isPending} onClick={() => mutate()}>Prove it</button>}
 * ```
 */
export function useProveTaker(): ProveTakerResult {
  const { client, config } = useService()
  const chain = useChain()
  const now = useServerNow(1_000)
  const mutation = useMutation({
    mutationFn: async () => {
      if (chain.state !== 'ready') throw new NotReadyError()
      const { account } = chain.client
      const { chainId, contracts } = config
      // The provider's contracts override the client's configuration.
      const service = {
        getServiceConfig: client.getServiceConfig.bind(client),
        getConfig: () => ({ ...client.getConfig(), chainId, quoteMarketAddress: contracts.quoteMarket }),
      }
      const options = { account: account.address, walletClient: chain.client, clock: { now: serverNow } }
      const { taker, takerProof } = await proveTaker(service, options)
      saveProof(taker, takerProof)
    },
  })
  const proof = chain.state === 'ready' ? findProof(chain.client.account.address, now) : null
  return { ...mutation, provenUntil: proof && proofEnd(proof) }
}
