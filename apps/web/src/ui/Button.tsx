import type { ComponentProps } from 'react'
import styles from './Button.module.css'

/** `main` once in a panel, for what the panel is there for; `plain` for everything else. */
export type ButtonLook = { look?: 'main' | 'plain' }

/** A button. While `busy` it cannot be pressed again, and says so. */
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

/** A link that looks like a button: it leads somewhere and does nothing else. */
export function ButtonLink({ look = 'plain', ...rest }: ComponentProps<'a'> & { href: string } & ButtonLook) {
  return <a {...rest} className={classOf(look, rest.className)} />
}

function classOf(look: ButtonLook['look'], own = ''): string {
  return `${styles['button']} ${look === 'main' ? styles['main'] : ''} ${own}`
}
