import { configQuery, useService } from '@firmquote/react'
import { type RFQResult, ServiceError } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ProofsTexts } from '../../../copy/enProofs.ts'
import { useProofsTexts } from '../../../copy/proofsTexts.ts'
import { useFormats } from '../../../copy/words.ts'
import { type Checked, checkProof } from '../../../fixing/proofs/checkProof.ts'
import { ProofVerdict } from '../../../fixing/proofs/ProofVerdict.tsx'
import { proofsHref } from '../../../routes.ts'
import { useWebAppSettings } from '../../../service/webAppSettings.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState, Notice } from '../../../ui/Notice.tsx'
import { Section } from '../../../ui/Panel.tsx'
import { saveFile } from '../../../ui/saveFile.ts'
import styles from '../AuctionView.module.css'
import { compareProof } from './compareProof.ts'
import { readProof } from './readProof.ts'

const unknownWaitMs = 1_000

/**
 * The proof of a closed auction, once the visitor asks for it. No other part of the page waits for the log: the app chooses the best
 * quotes itself.
 */
export function AuctionProof({ auction }: { auction: RFQResult }) {
  const { client } = useService()
  const { serviceUrl } = useWebAppSettings()
  // The configuration was loaded when the app started.
  const { data: config } = useQuery(configQuery(client))
  const { auction: texts } = useProofsTexts()
  const [isAsked, setIsAsked] = useState(false)
  const { rfqId } = auction
  const keys = config?.proofs?.key
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['auctionProof', rfqId, keys],
    queryFn: async ({ signal }) => {
      const text = await readProof(serviceUrl, rfqId, signal)
      return { text, checked: await checkProof({ text, keys: keys ?? '', quorum: 0 }, signal) }
    },
    enabled: isAsked,
    ...{ retry: false, staleTime: Number.POSITIVE_INFINITY, structuralSharing: false },
  })
  if (keys === undefined) return null
  return (
    <Section title={texts.title} lead={texts.lead}>
      <div className={styles['card']}>
        {error && !isFetching && <Failure error={error} />}
        {data && <Outcome auction={auction} checked={data.checked} texts={texts} />}
        <div className={styles['actions']}>
          {data ? (
            <Button
              onClick={() =>
                saveFile(`firmquote-proof-${rfqId.slice(0, 8)}.json`, { text: data.text, type: 'application/json' })
              }
            >
              {texts.save}
            </Button>
          ) : (
            <Button busy={isFetching} onClick={() => (isAsked ? void refetch() : setIsAsked(true))}>
              {error ? texts.again : texts.check}
            </Button>
          )}
        </div>
        <p>
          <a href={proofsHref}>{texts.elsewhere}</a>
        </p>
      </div>
    </Section>
  )
}

function Outcome(props: { auction: RFQResult; checked: Checked; texts: ProofsTexts['auction'] }) {
  const { auction, checked, texts } = props
  const comparison = checked.kind === 'valid' ? compareProof(checked.statements, auction) : null
  return (
    <>
      {(comparison === 'otherTerms' || comparison === 'otherQuotes') && (
        <Notice tone="danger" title={texts[comparison]}>
          {texts.otherWhy}
        </Notice>
      )}
      <ProofVerdict checked={checked} proved={comparison === 'same' ? [texts.same] : []} />
      {checked.kind === 'valid' && <p className={styles['note']}>{texts.ownLog}</p>}
    </>
  )
}

function Failure({ error }: { error: Error }) {
  const { auction: texts } = useProofsTexts()
  const formats = useFormats()
  const refusal = error instanceof ServiceError ? error : null
  if (refusal?.code === 'RFQ_NOT_FOUND') return <p role="status">{texts.none}</p>
  if (refusal?.code !== 'PROOF_NOT_READY') return <ErrorState title={texts.failed} error={error} />
  const seconds = Math.ceil((refusal.retryAfterMs ?? unknownWaitMs) / 1000)
  return <p role="status">{texts.notReady(formats.time(seconds))}</p>
}
