import { useAboutTexts } from '../../copy/aboutTexts.ts'
import { useTexts } from '../../copy/words.ts'
import { pages } from '../../routes.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { useDocumentTitle } from '../../ui/useDocumentTitle.ts'
import { ViewHead } from '../../ui/ViewHead.tsx'
import { guessAddress } from './guessAddress.ts'
import styles from './NotFoundView.module.css'

/** Shown at an unknown address. Says what the address may have meant, and where to go instead. */
export function NotFoundView({ path }: { path: string }) {
  const { app } = useTexts()
  const { notFound } = useAboutTexts()
  const guess = guessAddress(path)
  useDocumentTitle(notFound.title)
  return (
    <>
      <ViewHead title={notFound.title}>
        <span className={styles['path']}>{notFound.lead(path.slice(0, 100))}</span>
      </ViewHead>
      {guess && (
        <p>
          {notFound.looksLike[guess.kind](
            <a href={guess.href}>{guess.kind === 'page' ? app.pages[guess.name] : notFound.open[guess.kind]}</a>,
          )}
        </p>
      )}
      <nav aria-label={notFound.instead} className={styles['ways']}>
        <span>{notFound.instead}</span>
        {pages.slice(0, 3).map((page) => (
          <ButtonLink key={page.path} href={`#${page.path}`}>
            {app.pages[page.name]}
          </ButtonLink>
        ))}
      </nav>
    </>
  )
}
