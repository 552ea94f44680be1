import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { useTexts } from '../copy/words.ts'
import { useAnnounce } from './announce.tsx'
import styles from './toasts.module.css'

/** Maximum number of toasts shown. The oldest is removed first. */
const most = 3
const lastsMs = 8_000

/** A short notification, for example about a transaction. */
export type Toast = {
  /** A toast replaces any earlier one of the same name. For example, "confirmed" replaces "sent". */
  name: string
  title: string
  /** `bad` and `pending` toasts stay until they are dismissed or replaced. */
  tone: 'pending' | 'good' | 'bad'
  /** A link to more information. */
  children?: ReactNode
}

const ToastContext = createContext<(toast: Toast) => void>(() => {})

/** Shows notifications in a corner of the window, newest last. */
export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const announce = useAnnounce()
  const { common } = useTexts()
  const show = useCallback(
    (toast: Toast) => {
      announce(toast.title)
      setToasts((shown) => [...shown.filter(({ name }) => name !== toast.name), toast].slice(-most))
    },
    [announce],
  )
  const dismiss = useCallback((toast: Toast) => setToasts((shown) => shown.filter((other) => other !== toast)), [])
  return (
    <ToastContext value={show}>
      {children}
      <section className={styles['toasts']} aria-label={common.news}>
        {toasts.map((toast) => (
          <Shown key={toast.name} toast={toast} onDismiss={dismiss} />
        ))}
      </section>
    </ToastContext>
  )
}

/**
 * Returns a function that shows and announces a toast. A `good` toast disappears after eight seconds, unless the
 * pointer is over it.
 */
export function useToast(): (toast: Toast) => void {
  return useContext(ToastContext)
}

function Shown({ toast, onDismiss }: { toast: Toast; onDismiss: (toast: Toast) => void }) {
  const { common } = useTexts()
  const [held, setHeld] = useState(false)
  const leaves = toast.tone === 'good' && !held
  useEffect(() => {
    if (!leaves) return
    const timer = setTimeout(() => onDismiss(toast), lastsMs)
    return () => clearTimeout(timer)
  }, [leaves, toast, onDismiss])
  const hold = useMemo(
    () => ({
      onPointerEnter: () => setHeld(true),
      onPointerLeave: () => setHeld(false),
      onFocus: () => setHeld(true),
      onBlur: () => setHeld(false),
    }),
    [],
  )
  return (
    <div className={`${styles['toast']} ${styles[toast.tone]}`} {...hold}>
      <div className={styles['text']}>
        <p className={styles['title']}>{toast.title}</p>
        {toast.children}
      </div>
      <button type="button" className={styles['dismiss']} aria-label={common.dismiss} onClick={() => onDismiss(toast)}>
        <svg viewBox="0 0 16 16" width="16" aria-hidden="true">
          <path d="M4 4l8 8M12 4l-8 8" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
        </svg>
      </button>
    </div>
  )
}
