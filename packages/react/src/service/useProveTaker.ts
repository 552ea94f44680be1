import { proveTaker } from '@firmquote/sdk'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useWallet } from '../chain/useChain.ts'
import { type ChainErrorType, NotReadyError } from '../errors.ts'
import { serverNow } from './serverClock.ts'
import { useService } from './serviceContext.ts'
import { findProof, proofEnd, saveProof } from './takerProofs.ts'
import { useServerNow } from './useServerNow.ts'

/** A mutation that creates a taker proof for the connected account, and the proof's expiry. */
export type ProveTakerResult = UseMutationResult<void, ChainErrorType, void> & {
  /** Unix seconds, or null if there is no proof. */
  provenUntil: number | null
}

/** Parameters of {@link useProveTaker}. */
export type ProveTakerParameters = {
  /** Whether makers with funds may see the account's record. The account signs this. Default: false. */
  shareRecord?: boolean | undefined
}

/**
 * Asks the connected account to sign a taker proof, valid for one day. The proof is then included in auctions opened
 * for the account. Makers reserve more of their funds for a verified taker. The signature stays in memory until the
 * page reloads. It is used only in requests with the same `shareRecord`.
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
export function useProveTaker({ shareRecord = false }: ProveTakerParameters = {}): ProveTakerResult {
  const { client, config } = useService()
  const wallet = useWallet()
  const now = useServerNow()
  const mutation = useMutation<void, ChainErrorType>({
    mutationFn: async () => {
      if (!wallet) throw new NotReadyError()
      const { chainId, contracts } = config
      // The provider's contracts override the client's configuration.
      const service = {
        getServiceConfig: client.getServiceConfig.bind(client),
        getConfig: () => ({ ...client.getConfig(), chainId, quoteMarketAddress: contracts.quoteMarket }),
      }
      const options = { account: wallet.account.address, walletClient: wallet, shareRecord, clock: { now: serverNow } }
      const { taker, takerProof } = await proveTaker(service, options)
      saveProof({ taker, shareRecord }, takerProof)
    },
  })
  const proof = wallet && findProof({ taker: wallet.account.address, shareRecord }, now)
  return { ...mutation, provenUntil: proof && proofEnd(proof) }
}
