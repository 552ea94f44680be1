import { NotReadyError, type Pool, serverNow, useChain, useService } from '@firmquote/react'
import { type BorrowerClient, type FixedPosition, InvalidResponseError } from '@firmquote/sdk'
import { useMutation } from '@tanstack/react-query'
import type { Address } from 'viem'
import { usePositionsTexts } from '../../copy/positionsTexts.ts'
import { useTexts } from '../../copy/words.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/Notice.tsx'
import { Section } from '../../ui/Panel.tsx'
import { saveFile } from '../../ui/saveFile.ts'

/** Saves all of an account's positions as a CSV file. */
export function Records({ address, pools }: { address: Address; pools: readonly Pool[] }) {
  const { records: words } = usePositionsTexts()
  const { common } = useTexts()
  const { client, config } = useService()
  const { interestRatePool } = config.contracts
  const chain = useChain()
  const announce = useAnnounce()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      if (chain.state !== 'ready') throw new NotReadyError()
      const [{ csvName, positionsCsv }, { readChainFacts }] = await Promise.all([
        import('./positionsCsv.ts'),
        import('./readChainFacts.ts'),
      ])
      const positions = await listAll(client, address)
      const facts = await readChainFacts(chain.client, { interestRatePool, positions })
      const text = positionsCsv(positions, { pools, facts, words })
      saveFile(csvName(address, serverNow()), { text, type: 'text/csv' })
      announce(words.saidSaved)
    },
  })
  return (
    <Section title={words.title} lead={words.lead}>
      <p>
        <Button onClick={() => mutate()} busy={isPending} disabled={chain.state !== 'ready'}>
          {words.save}
        </Button>
      </p>
      {chain.state === 'wrongNetwork' && <p>{common.walletElsewhere}</p>}
      {error && <ErrorState title={words.notSaved} error={error} />}
    </Section>
  )
}

/** A service could return pages without end. */
const maxPages = 20

/**
 * Reads all pages of an account's positions, newest first.
 *
 * @throws {InvalidResponseError} if there are too many, because the file would be incomplete.
 */
async function listAll(client: BorrowerClient, address: Address): Promise<FixedPosition[]> {
  const positions: FixedPosition[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < maxPages; pages++) {
    const page = await client.getPositions(address, { status: 'all', limit: 500, ...(cursor && { cursor }) })
    positions.push(...page.positions)
    if (!page.nextCursor) return positions
    cursor = page.nextCursor
  }
  throw new InvalidResponseError(`The account's positions do not end after ${maxPages} pages.`)
}
