import type { ComponentProps } from 'react'
import styles from './Button.module.css'

/** Use `main` for a panel's main action, at most once per panel, and `plain` for all others. */
export type ButtonLook = { look?: 'main' | 'plain' }

/** A button. While `busy`, the button is disabled and shows a busy state. */
export function Button({
  look = 'plain',
  busy = false,
  ...rest
}: ComponentProps<'button'> & ButtonLook & { busy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      className={classOf(look, rest.className)}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
    />
  )
}

/** A link that looks like a button. */
export function ButtonLink({ look = 'plain', ...rest }: ComponentProps<'a'> & { href: string } & ButtonLook) {
  return <a {...rest} className={classOf(look, rest.className)} />
}

function classOf(look: ButtonLook['look'], own = ''): string {
  return `${styles['button']} ${look === 'main' ? styles['main'] : ''} ${own}`
}
