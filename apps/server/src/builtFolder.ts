/** A folder that the build puts into `dist`. This file lies one level below the package, in `src` and in `dist` alike. */
export function builtFolder(name: 'docs' | 'learn' | 'web'): URL {
  return new URL(`../dist/${name}/`, import.meta.url)
}
