import { openStorage } from '@firmquote/react'

/** Storage that lasts as long as the tab. */
export const tabStorage = openStorage(() => sessionStorage)

/** Storage that lasts until the visitor clears it. */
export const lastingStorage = openStorage(() => localStorage)
