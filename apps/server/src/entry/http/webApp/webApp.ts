import type { SharedBody } from '../responses/sharedBody.ts'

/** The files of a page, by their paths below its folder. */
export type WebAppFolder = ReadonlyMap<string, SharedBody>

/** The web client: its index, filled in, the files that it is made of, and whether it offers wallets on other machines. */
export type WebApp = { index: string; files: WebAppFolder; hasRemoteWallets: boolean }
