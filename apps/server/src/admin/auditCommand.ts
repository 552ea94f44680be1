import type { AuditRecord } from '../ports/store.ts'
import { command } from './command.ts'
import { instant, table } from './format.ts'
import { wholeNumber } from './values.ts'

/** `audit`. */
export const auditCommand = command<{ entries: Omit<AuditRecord, 'detail'>[]; nextBefore: number | null }>({
  words: 'audit',
  about: 'list what operators changed, newest first',
  options: [
    { flag: 'limit', key: 'limit', value: wholeNumber(1, 1_000), about: 'entries to list; default 50' },
    {
      ...{ flag: 'before', key: 'before', value: wholeNumber(1, Number.MAX_SAFE_INTEGER) },
      about: 'list the entries before this ID',
    },
  ],
  print({ entries, nextBefore }) {
    if (entries.length === 0) return 'There is no entry.'
    const rows = entries.map(({ id, at, who, command, subject, why }) => [
      ...[String(id), instant(at), who, command, subject ?? '', why ?? ''],
    ])
    const list = table([['ID', 'WHEN', 'WHO (UNVERIFIED)', 'COMMAND', 'SUBJECT', 'WHY'], ...rows])
    return nextBefore === null ? list : `${list}\n\nFor older entries: --before ${nextBefore}`
  },
})
