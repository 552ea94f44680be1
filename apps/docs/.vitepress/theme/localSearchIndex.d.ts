/** VitePress's index for its local search: one module per language, with text that MiniSearch loads. */
declare module '@localSearchIndex' {
  const index: { root(): Promise<{ default: string }> }
  export default index
}
