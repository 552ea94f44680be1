/** A limit in force. `setting` is its value without an override. */
export type LiveLimit = {
  /** The setting's name. */
  name: string
  value: number
  source: 'default' | 'environment' | 'store'
  setting: number
}

/** The limits that can change while the server runs. */
export type LiveLimits = {
  list(): LiveLimit[]
  /** Describes a valid name or value, which completes the sentence "it must be …"; null if both are valid. */
  check(name: string, value: number): string | null
  /** Replaces all overrides, by the setting's name. Ignores names that only another version of the server knows. */
  apply(overrides: ReadonlyMap<string, number>): void
}

/** No limit can change. */
export const noLiveLimits: LiveLimits = { list: () => [], check: () => 'absent, because none can change', apply() {} }
