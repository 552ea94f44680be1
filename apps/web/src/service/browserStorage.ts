import { openStorage } from '@firmquote/react'

/** Storage that persists as long as the tab is open. */
export const tabStorage = openStorage(() => sessionStorage)

/** Storage that persists until the visitor clears it. */
export const lastingStorage = openStorage(() => localStorage)
