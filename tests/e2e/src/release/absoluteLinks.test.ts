import { describe, expect, test } from '@jest/globals'
import { absoluteLinks } from '../../../../scripts/release/absoluteLinks.ts'
import { root } from '../pack.ts'
import { config } from './config.ts'

const place = { root, folder: 'packages/sdk', repository: config.repository, docs: config.docs, ref: 'v1.2.3' }
const at = (view: string, path: string) => `${config.repository}/${view}/v1.2.3/${path}`

describe('absoluteLinks', () => {
  test.each([
    ['a file above', '[a](../core/README.md)', `[a](${at('blob', 'packages/core/README.md')})`],
    ['a file beside', 'see [a `b`](ERRORS.md#x), ', `see [a \`b\`](${at('blob', 'packages/sdk/ERRORS.md')}#x), `],
    [
      'code as a text',
      '[`@firmquote/core`](../core/README.md)',
      `[\`@firmquote/core\`](${at('blob', 'packages/core/README.md')})`,
    ],
    ['a folder', '[a](../../docs/)', `[a](${at('tree', 'docs')})`],
    ['a picture', '![a](../../apps/web/public/preview.png)', `![a](${at('raw', 'apps/web/public/preview.png')})`],
    ['a reference', '[a]: ../core/README.md', `[a]: ${at('blob', 'packages/core/README.md')}`],
    [
      'HTML',
      '<img src="../../apps/web/public/preview.png">',
      `<img src="${at('raw', 'apps/web/public/preview.png')}">`,
    ],
    ['the documentation', '[a](/learn/reference/errors#x)', `[a](${config.docs}/reference/errors#x)`],
    ['two in a line', '[a](ERRORS.md) [b](#c)', `[a](${at('blob', 'packages/sdk/ERRORS.md')}) [b](#c)`],
  ])('default: %s', (_what, text, expected) => {
    expect(absoluteLinks(text, place)).toBe(expected)
  })

  test.each([
    'https://viem.sh and [viem](https://viem.sh)',
    '[here](#when)',
    '[mail](mailto:a@firmquote.example)',
    '```md\n[a](missing.md)\n```',
    '`[a](missing.md)`',
    '  ~~~\n[a](missing.md)\n  ~~~\n',
  ])('behavior: stays as it is: %j', (text) => {
    expect(absoluteLinks(text, place)).toBe(text)
  })

  test.each(['[a](missing.md)', '[a](../../../etc/passwd)', '[a](/etc/passwd)', '```\nx\n```\n[a](missing.md)'])(
    'error: does not exist: %j',
    (text) => {
      expect(() => absoluteLinks(text, place)).toThrow(
        /^packages\/sdk: the link \S+ does not exist in the repository\.$/,
      )
    },
  )
})
