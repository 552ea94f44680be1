import type { ReactNode } from 'react'
import styles from './Stepper.module.css'

/** The state of a step. `busy` means that the current step is waiting for a wallet or a block. */
export type StepState = 'done' | 'current' | 'busy' | 'failed' | 'todo'

/** A step with its action and a note. */
export type Step = { name: string; state: StepState; title: string; note?: ReactNode }

/**
 * Shows a short sequence of steps, such as allow, permit and take. `stateWords` names the states for screen readers.
 */
export function Stepper(props: {
  label: string
  steps: readonly Step[]
  stateWords: Readonly<Record<StepState, string>>
}) {
  return (
    <ol className={styles['steps']} aria-label={props.label}>
      {props.steps.map(({ name, state, title, note }, index) => (
        <li
          key={name}
          className={`${styles['step']} ${styles[state]}`}
          aria-current={state === 'todo' || state === 'done' ? undefined : 'step'}
        >
          <span className={styles['mark']} aria-hidden="true">
            {state === 'done' ? (
              <Drawing path="M4 8.5l2.5 2.5 5-5.5" />
            ) : state === 'failed' ? (
              <Drawing path="M5 5l6 6M11 5l-6 6" />
            ) : (
              index + 1
            )}
          </span>
          <div>
            <p className={styles['title']}>
              {title}
              <span className="unseen">, {props.stateWords[state]}</span>
            </p>
            {note !== undefined && <p className={styles['note']}>{note}</p>}
          </div>
        </li>
      ))}
    </ol>
  )
}

function Drawing({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 16 16" width="16" aria-hidden="true">
      <path d={path} fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
