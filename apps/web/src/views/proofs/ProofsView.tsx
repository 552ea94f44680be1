import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useProofsTexts } from '../../copy/proofsTexts.ts'
import { useTexts, useWords } from '../../copy/words.ts'
import { checkProof, maxProofBytes, pastedProof } from '../../fixing/proofs/checkProof.ts'
import { ProofVerdict } from '../../fixing/proofs/ProofVerdict.tsx'
import { Button } from '../../ui/Button.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { ErrorState, Notice } from '../../ui/Notice.tsx'
import { Panel, Section } from '../../ui/Panel.tsx'
import { ViewHead } from '../../ui/ViewHead.tsx'
import styles from './ProofsView.module.css'

/** A proof that the visitor gave. `id` is different for each. */
type Given = { id: number; name: string | null; file: Blob }

/** Maximum number of signatures that a log keeps, and so of witnesses. */
const maxWitnesses = 20

/** Checks a proof file that is dropped, chosen or pasted. Nothing leaves the page. */
export function ProofsView() {
  const { title, lead } = useTexts().openings.proofs
  const texts = useProofsTexts()
  const [given, setGiven] = useState<Given | null>(null)
  const [keys, setKeys] = useState('')
  const [quorum, setQuorum] = useState(0)
  const give = (file: Blob, name: string | null) => setGiven((last) => ({ id: (last?.id ?? 0) + 1, name, file }))
  return (
    <>
      <ViewHead title={title}>{lead}</ViewHead>
      <Panel title={texts.check.title}>
        <div className={styles['form']}>
          <DropZone onFile={(file) => give(file, file.name)} />
          <PasteBox onText={(text) => give(new Blob([pastedProof(text)]), null)} />
        </div>
      </Panel>
      <Disclosure title={texts.policy.title}>
        <div className={styles['form']}>
          <p className={styles['why']}>{texts.policy.why}</p>
          <TextBox label={texts.policy.keys} hint={texts.policy.keysHint} text={keys} onText={setKeys} />
          <Field label={texts.policy.quorum}>
            {(ids) => (
              <Input
                {...ids}
                type="number"
                min={0}
                max={maxWitnesses}
                value={quorum}
                onChange={({ currentTarget }) => setQuorum(Math.trunc(Number(currentTarget.value)) || 0)}
              />
            )}
          </Field>
        </div>
      </Disclosure>
      <Section title={given?.name ? texts.check.resultOf(given.name) : texts.check.result}>
        <div className={styles['result']}>
          {given === null ? (
            <p className={styles['nothing']}>{texts.check.nothing}</p>
          ) : (
            <Result key={given.id} given={given} keys={keys} quorum={quorum} />
          )}
        </div>
      </Section>
    </>
  )
}

function Result({ given, keys, quorum }: { given: Given; keys: string; quorum: number }) {
  const { check } = useProofsTexts()
  const { formats } = useWords()
  const isTooLarge = given.file.size > maxProofBytes
  const { data, error } = useQuery({
    queryKey: ['checkedProof', given.id, keys, quorum],
    queryFn: async ({ signal }) => checkProof({ text: await readText(given.file), keys, quorum }, signal),
    enabled: !isTooLarge,
    // While other keys are tried, the last verdict stays.
    placeholderData: keepPreviousData,
    ...{ retry: false, staleTime: Number.POSITIVE_INFINITY, gcTime: 0, structuralSharing: false },
  })
  if (isTooLarge) {
    return (
      <InView>
        <Notice tone="danger">{check.tooLarge(formats.count(maxProofBytes / 2 ** 20))}</Notice>
      </InView>
    )
  }
  if (!error && !data) return <p className={styles['nothing']}>{check.checking}</p>
  return (
    <InView>
      {error ? <ErrorState title={check.notRead} error={error} /> : data && <ProofVerdict checked={data} />}
    </InView>
  )
}

/** Scrolls to its contents once, since they may be below the fold. */
function InView({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    ref.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return <div ref={ref}>{children}</div>
}

/** Decodes a file without dropping a byte order mark, which is no part of a proof. */
async function readText(file: Blob): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file.arrayBuffer())
}

/** Accepts a file that is chosen, or dropped anywhere on the page. */
function DropZone({ onFile }: { onFile: (file: File) => void }) {
  const { check } = useProofsTexts()
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const leaving = new AbortController()
    const options = { signal: leaving.signal }
    // Without this, the browser would open the file instead of the page.
    document.addEventListener(
      'dragover',
      (event) => {
        event.preventDefault()
        setIsOver(true)
      },
      options,
    )
    document.addEventListener('dragleave', ({ relatedTarget }) => relatedTarget === null && setIsOver(false), options)
    document.addEventListener(
      'drop',
      (event) => {
        event.preventDefault()
        setIsOver(false)
        const file = event.dataTransfer?.files[0]
        if (file) onFile(file)
      },
      options,
    )
    return () => leaving.abort()
  })
  return (
    <label className={styles['zone']} data-over={isOver || undefined}>
      <span>{check.drop}</span>
      <span className={styles['choose']}>{check.choose}</span>
      <input
        type="file"
        className="unseen"
        accept=".json,application/json"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) onFile(file)
          // Choosing the same file again is a change, too.
          currentTarget.value = ''
        }}
      />
    </label>
  )
}

function PasteBox({ onText }: { onText: (text: string) => void }) {
  const { check } = useProofsTexts()
  const [text, setText] = useState('')
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        onText(text)
      }}
    >
      <TextBox label={check.paste} text={text} onText={setText} />
      <Button type="submit" className={styles['submit']} disabled={text.trim() === ''}>
        {check.checkText}
      </Button>
    </form>
  )
}

/** A box for text that is not prose. */
function TextBox({
  text,
  onText,
  ...labels
}: {
  label: string
  hint?: ReactNode
  text: string
  onText: (text: string) => void
}) {
  return (
    <Field {...labels}>
      {(ids) => (
        <textarea
          {...ids}
          className={styles['text']}
          rows={3}
          spellCheck={false}
          autoCapitalize="off"
          value={text}
          onChange={({ currentTarget }) => onText(currentTarget.value)}
        />
      )}
    </Field>
  )
}
