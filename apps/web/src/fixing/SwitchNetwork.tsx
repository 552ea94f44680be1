import { useService } from '@firmquote/react'
import { getChainName } from '@firmquote/sdk'
import { useSwitchChain } from 'wagmi'
import { useTexts } from '../copy/words.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/Notice.tsx'

/** Asks the wallet to switch to the service's network, and explains any failure. */
export function SwitchNetwork() {
  const { chainId } = useService().config
  const { common } = useTexts()
  const { mutate, isPending, error } = useSwitchChain()
  return (
    <>
      <Button look="main" busy={isPending} onClick={() => mutate({ chainId })}>
        {common.switchWallet(getChainName(chainId), chainId)}
      </Button>
      {error && <ErrorState title={common.notSwitched} error={error} />}
    </>
  )
}
