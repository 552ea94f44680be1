import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { useTexts } from '../copy/words.ts'
import { useAnnounce } from './announce.tsx'
import styles from './toasts.module.css'

/** At most so many are shown: the oldest gives way. */
const most = 3
const lastsMs = 8_000

/** A piece of news: of a transaction, for instance. */
export type Toast = {
  /** A toast of the same name takes the place of the one before: sent, then confirmed. */
  name: string
  title: string
  /** `bad` stays until it is dismissed, as does what is still `pending`. */
  tone: 'pending' | 'good' | 'bad'
  /** Where to read more. */
  children?: ReactNode
}

const ToastContext = createContext<(toast: Toast) => void>(() => {})

/** Shows news in a corner of the window, the newest last. */
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

/** Tells a piece of news, which is also said aloud. Good news goes by itself after eight seconds, unless it is pointed at. */
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
