import type { Executability } from '@firmquote/sdk'
import { printable } from './printable.ts'
import type { Style } from './style.ts'

const titles: Readonly<Record<Executability['checks'][number]['name'], string>> = {
  deadline: 'deadline',
  nonceAndStatus: 'nonce and status',
  makerFunds: "maker's funds",
  terms: 'terms',
  preview: "contract's preview",
  borrower: "borrower's funds",
}

/** The six checks, one a line: `ok` or `no`, what was checked, and why not. */
export function renderChecks({ checks, block }: Pick<Executability, 'checks' | 'block'>, style: Style): string {
  const lines = checks.map(({ ok, name, reason }) => {
    const why = reason === undefined ? '' : `: ${printable(reason)}`
    return `${ok ? style.good('ok') : style.bad('no')}  ${titles[name]}${why}`
  })
  return [`Checked at block ${block.number}:`, ...lines].join('\n')
}
