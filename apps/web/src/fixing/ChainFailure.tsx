import { queryKeys } from '@firmquote/react'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { explainRead } from '../copy/explainWallet.ts'
import { useWords } from '../copy/words.ts'
import { Button } from '../ui/Button.tsx'
import { Details } from '../ui/Details.tsx'
import { Notice } from '../ui/Notice.tsx'

/** Says why the chain cannot be read through the wallet, with a button that reads it again. */
export function ChainFailure(props: {
  error: Error
  title: string
  tone: 'warning' | 'danger'
  /** The consequence, after the cause. */
  children?: ReactNode
}) {
  const { error, title, tone, children } = props
  const words = useWords()
  const queries = useQueryClient()
  const { message, code, cause } = explainRead(error, words)
  const retry = () => void queries.refetchQueries({ queryKey: queryKeys.chain, type: 'active' })
  return (
    <Notice tone={tone} title={title} action={<Button onClick={retry}>{words.texts.common.tryAgain}</Button>}>
      <p>
        {message} {children}
      </p>
      <Details>
        <p>{code}</p>
        <p>{cause}</p>
      </Details>
    </Notice>
  )
}
