/** Sample release settings. */
export const config = {
  repository: 'https://github.com/example/firmquote',
  homepage: 'https://firmquote.example',
  bugs: 'https://github.com/example/firmquote/issues',
  author: 'Example',
  docs: 'https://firmquote.example/learn',
}
