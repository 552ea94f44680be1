import type { SharedBody } from '../answers/sharedBody.ts'

/** The files of a page, by their paths below its folder. */
export type PageFolder = ReadonlyMap<string, SharedBody>

/** The web client: its index, filled in, the files that it is made of, and whether it offers wallets on other machines. */
export type WebPage = { index: string; files: PageFolder; hasRemoteWallets: boolean }
