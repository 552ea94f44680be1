/** The files of a page, by their paths below `root`. */
export type PageFolder = { root: string; files: ReadonlyMap<string, PageFile> }

/** `packed` files lie beside their `.br` and `.gz`; `tag` is the ETag, made of the content. */
export type PageFile = { packed: boolean; tag: string }

/** The web client: its index, filled in, and the files that it is made of. */
export type WebPage = PageFolder & { index: string }
