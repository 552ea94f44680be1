import type { SharedBody } from '../responses/sharedBody.ts'

/** Files for browsers, by their paths in a folder. */
export type WebAppFolder = ReadonlyMap<string, SharedBody>

/** The web app: its filled-in index, its other files, and whether remote wallets are enabled. */
export type WebApp = { index: string; files: WebAppFolder; hasRemoteWallets: boolean }
