import { openStorage } from '@firmquote/react'

/** What lasts as long as the tab. */
export const tabStorage = openStorage(() => sessionStorage)

/** What lasts until it is cleared in the browser. */
export const lastingStorage = openStorage(() => localStorage)
