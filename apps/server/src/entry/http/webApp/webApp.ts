import type { SharedBody } from '../responses/sharedBody.ts'

/** Files for browsers, keyed by path within a folder. */
export type WebAppFolder = ReadonlyMap<string, SharedBody>

/** The web app: its rendered index, its other files, and whether remote wallets are enabled. */
export type WebApp = { index: string; files: WebAppFolder; hasRemoteWallets: boolean }
