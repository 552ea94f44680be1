// Why: docs/decisions/0081-control.md
import { bytesToHex } from 'viem'
import { type Controls, indexControls } from '../../domain/controls/controls.ts'
import { OutcomeUnknownError, StorageUnavailableError } from '../../ports/errors.ts'
import type { ControlChange, StoredControls } from '../../ports/store.ts'
import type { ServiceDeps } from '../serviceDeps.ts'

/** What to change, decided on the current controls. */
export type DecidedChange = Pick<ControlChange, 'put' | 'remove'> & {
  entry: Omit<ControlChange['entry'], 'request' | 'at'>
}

/** The operator's decisions, as this instance knows them. */
export type ControlPlane = {
  /**
   * The newest decisions read. If the store cannot be read, the last ones stay in force.
   *
   * @throws {StorageUnavailableError} if none have been read yet.
   */
  current(): Controls
  /**
   * Reads the newest decisions, lets `decide` choose a change, and stores it with an audit entry. If another change
   * comes first, decides again. When the call returns, the change is in force here, if the store can be read.
   *
   * @param decide may throw, which changes nothing.
   * @throws {StorageUnavailableError} if the change was not stored, or, as {@link OutcomeUnknownError}, may be stored.
   */
  change(decide: (controls: Controls) => DecidedChange): Promise<void>
  /** Calls a listener with the first decisions and after each change, also by another instance. Returns a function that unsubscribes. */
  onChange(listener: (controls: Controls) => void): () => void
  /** Reads the decisions, then polls them if other instances may change them. */
  start(): Promise<void>
  stop(): void
}

/** Milliseconds between polls. */
const pollIntervalMs = 500
/** How often a change is decided again because others came first, and sent again while its outcome is unknown. */
const maxAttempts = 10
const maxRepeats = 2

/** Creates one instance's view of the controls. */
export function createControls({
  store,
  clock,
  random,
  log,
  isShared = false,
}: Pick<ServiceDeps, 'store' | 'clock' | 'random' | 'log' | 'isShared'>): ControlPlane {
  const listeners = new Set<(controls: Controls) => void>()
  let known: Controls | null = null
  let isFailing = false
  let cancelPoll: (() => void) | null = null
  let stopped = false

  const adopt = (read: StoredControls | null) => {
    // Reads may answer in another order than they were sent.
    if (read === null || read.version <= (known?.version ?? -1)) return
    const controls = indexControls(read)
    if (known !== null) log.info({ version: read.version }, 'controls changed')
    known = controls
    for (const listener of [...listeners]) listener(controls)
  }

  const current = (): Controls => {
    if (known === null) throw new StorageUnavailableError('The controls have not been read yet.')
    return known
  }

  const refresh = async (): Promise<Controls> => {
    adopt(await store.readControls(known?.version ?? null))
    return current()
  }

  const poll = async () => {
    try {
      await refresh()
      isFailing = false
    } catch (err) {
      if (!isFailing) log.warn({ err }, 'failed to read the controls; the last ones stay in force')
      isFailing = true
    }
    schedulePoll()
  }

  const schedulePoll = () => {
    if (stopped || !(isShared || isFailing)) return
    cancelPoll ??= clock.after(pollIntervalMs, () => {
      cancelPoll = null
      void poll()
    })
  }

  /** Repeats a write whose outcome is unknown. `request` makes the repetition harmless. */
  const write = async (change: ControlChange): Promise<number | null> => {
    for (let repeats = 0; ; repeats += 1) {
      try {
        return await store.changeControls(change)
      } catch (error) {
        if (!(error instanceof OutcomeUnknownError) || repeats === maxRepeats) throw error
      }
    }
  }

  return {
    current,

    async change(decide) {
      const request = bytesToHex(random(16))
      for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
        const controls = await refresh()
        const { entry, ...rows } = decide(controls)
        const at = Math.floor(clock.now())
        try {
          if ((await write({ ...rows, after: controls.version, entry: { ...entry, request, at } })) !== null) return
        } finally {
          // Shows the outcome, also of a write that failed.
          await poll()
        }
      }
      throw new StorageUnavailableError('Other changes of the controls keep coming first; try again.')
    },

    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    async start() {
      await refresh()
      schedulePoll()
    },

    stop() {
      stopped = true
      cancelPoll?.()
    },
  }
}
