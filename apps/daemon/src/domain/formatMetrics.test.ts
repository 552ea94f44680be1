import { describe, expect, test } from '@jest/globals'
import { formatMetrics, toTokens } from './formatMetrics.ts'

describe('formatMetrics', () => {
  test('default: the text that Prometheus reads', () => {
    const samples = [{ labels: { code: 'A', token: 'say "hi"\\\n' }, value: 2 }, { value: 0.5 }]
    expect(formatMetrics([{ name: 'one', type: 'gauge', help: 'What it is.', samples }])).toBe(
      '# HELP one What it is.\n# TYPE one gauge\none{code="A",token="say \\"hi\\"\\\\\\n"} 2\none 0.5\n',
    )
  })

  test('behavior: a family without figures keeps its description', () => {
    expect(formatMetrics([{ name: 'one', type: 'counter', help: 'No.', samples: [] }])).toBe(
      '# HELP one No.\n# TYPE one counter\n',
    )
  })
})

describe('toTokens', () => {
  test('default: whole tokens', () => {
    expect(toTokens(1_500_000n, 6)).toBe(1.5)
  })
})
