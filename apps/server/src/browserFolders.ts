// Why: docs/decisions/0068-run-from-sources.md
const isBuilt = import.meta.url.endsWith('.js')

/** Where the files for browsers are: the web app, Swagger UI and the documentation. All are beside a built server. */
export const browserFolders = {
  web: new URL(isBuilt ? '../dist/web/' : '../../web/dist/', import.meta.url),
  docs: new URL(isBuilt ? '../dist/docs/' : '../node_modules/swagger-ui-dist/', import.meta.url),
  docsSite: new URL('../dist/learn/', import.meta.url),
}
