/** What VitePress makes of the pages for its local search: for each language a module whose text MiniSearch reads. */
declare module '@localSearchIndex' {
  const index: { root(): Promise<{ default: string }> }
  export default index
}
