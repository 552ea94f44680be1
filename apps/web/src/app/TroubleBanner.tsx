import { useEffect, useState } from 'react'
import { useTexts, useWords } from '../copy/words.ts'
import { useAnnounce } from '../ui/announce.tsx'
import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'
import { calmAge, type Trouble } from './judgeTrouble.ts'

/** The app-wide banner. Shows the current problem until it is resolved, and announces its start and end. */
export function TroubleBanner({ trouble }: { trouble: Trouble | null }) {
  const announce = useAnnounce()
  const { trouble: texts } = useTexts()
  const kind = trouble?.kind
  useEffect(() => {
    if (kind === undefined) return
    announce(texts.titles[kind])
    return () => announce(texts.over)
  }, [kind, announce, texts])
  if (!trouble) return null
  return (
    <Banner
      title={texts.titles[trouble.kind]}
      {...(trouble.kind === 'oldPage' && {
        action: <Button onClick={() => location.reload()}>{texts.load}</Button>,
      })}
    >
      <Explanation trouble={trouble} />
    </Banner>
  )
}

function Explanation({ trouble }: { trouble: Trouble }) {
  const words = useWords()
  const texts = words.texts.trouble
  switch (trouble.kind) {
    case 'offline':
    case 'unanswered':
      return (
        <>
          {texts[trouble.kind]} {trouble.answeredAt !== null && <Age since={trouble.answeredAt} />}
        </>
      )
    case 'behind':
      return trouble.seconds === null ? texts.behindUnknown : texts.behind(words.formats.time(trouble.seconds))
    default:
      return texts[trouble.kind]
  }
}

/** `since` is in Unix milliseconds on the device's clock, because the server may be unreachable. */
function Age({ since }: { since: number }) {
  const { texts, formats } = useWords()
  const [age, setAge] = useState(() => calmAge(Date.now() - since))
  useEffect(() => {
    const timer = setInterval(() => setAge(calmAge(Date.now() - since)), 1_000)
    return () => clearInterval(timer)
  }, [since])
  return age < 10 ? null : texts.trouble.age(formats.time(age))
}
