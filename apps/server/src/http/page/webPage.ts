import type { SharedBody } from '../answers/sharedBody.ts'

/** The files of a page, by their paths below its folder. */
export type PageFolder = ReadonlyMap<string, SharedBody>

/** The web client: its index, filled in, and the files that it is made of. */
export type WebPage = { index: string; files: PageFolder }
