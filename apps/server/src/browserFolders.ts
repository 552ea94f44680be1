// Why: docs/decisions/0068-run-from-sources.md
const isBuilt = import.meta.url.endsWith('.js')

/** The folders of the web app, the API explorer and the docs site. A built server includes all three. */
export const browserFolders = {
  web: new URL(isBuilt ? '../dist/web/' : '../../web/dist/', import.meta.url),
  apiExplorer: new URL(isBuilt ? '../dist/docs/' : '../node_modules/swagger-ui-dist/', import.meta.url),
  docsSite: new URL('../dist/learn/', import.meta.url),
}
