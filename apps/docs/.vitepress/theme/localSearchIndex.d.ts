/** VitePress's local search index: one module per language, containing text that MiniSearch loads. */
declare module '@localSearchIndex' {
  const index: { root(): Promise<{ default: string }> }
  export default index
}
