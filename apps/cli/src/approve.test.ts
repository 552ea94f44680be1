import { describe, expect, test } from '@jest/globals'
import { withApprovals } from './approve.ts'

describe('withApprovals', () => {
  test('default', () => {
    expect(withApprovals(['rfq', '--pool', '1', '--take'])).toBe('firmquote rfq --pool 1 --take --approve')
  })

  test('behavior: without --take it is added, and what a shell would take apart is quoted', () => {
    expect(withApprovals(['rfq', '--pool', "it's; $1", '--max-cost='])).toBe(
      `firmquote rfq --pool 'it'\\''s; $1' --max-cost= --take --approve`,
    )
    expect(withApprovals(['rfq', ''])).toBe("firmquote rfq '' --take --approve")
  })

  test('behavior: the address of a node, which may hold a key, is left out', () => {
    expect(withApprovals(['rfq', '--rpc', 'http://node/key', '--take'])).toBe('firmquote rfq --rpc … --take --approve')
    expect(withApprovals(['rfq', '--rpc=http://node/key', '--take'])).toBe('firmquote rfq --rpc=… --take --approve')
  })
})
