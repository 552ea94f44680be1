import { beforeEach, describe, expect, test } from '@jest/globals'
import type { ControlChange, Store } from '../../src/ports/store.ts'

/** Tests a store's controls and its audit. */
export function describeControls(getStore: () => Store): void {
  let store: Store
  beforeEach(() => {
    store = getStore()
  })
  const row = (subject: string, n = 1) => ({ kind: 'ban', subject, body: JSON.stringify({ n }) })
  const entry = (request: string, more: Partial<ControlChange['entry']> = {}): ControlChange['entry'] => ({
    ...{ request, at: 1_700_000_000_123, who: 'ops', command: 'makers ban', subject: 'a', why: null, detail: '{}' },
    ...more,
  })
  const versionNow = async () => (await store.readControls(null))?.version ?? -1
  const change = async (request: string, rows: Omit<ControlChange, 'after' | 'entry'>) =>
    store.changeControls({ after: await versionNow(), ...rows, entry: entry(request) })

  describe('controls', () => {
    test('default: none, and no version is known', async () => {
      expect(await store.readControls(null)).toEqual({ version: 0, controls: [] })
      expect(await store.readControls(0)).toBeNull()
      expect(await store.listAudit({ limit: 9, before: null })).toEqual([])
    })

    test('default: a change puts and removes controls, and adds its entry', async () => {
      const first = await change('1', { put: [row('b'), row('a'), row('A')] })
      const added = await store.readControls(0)
      expect(added).toEqual({ version: first, controls: [row('A'), row('a'), row('b')] })
      expect(await store.readControls(first)).toBeNull()
      const second = await change('2', { put: [row('b', 2)], remove: [{ kind: 'ban', subject: 'a' }] })
      expect(await store.readControls(first)).toEqual({ version: second, controls: [row('A'), row('b', 2)] })
    })

    test('behavior: entries are listed newest first, in pages', async () => {
      const full = { subject: null, why: 'it lies', detail: '{"until":5}' }
      const first = await store.changeControls({ after: 0, entry: entry('1', full) })
      const later = [await change('2', {}), await change('3', {})]
      const all = await store.listAudit({ limit: 9, before: null })
      expect(all.map(({ id }) => id)).toEqual([...later.reverse(), first])
      const { request: _, ...kept } = entry('1', full)
      expect(all[2]).toEqual({ id: first, ...kept })
      expect(await store.listAudit({ limit: 1, before: all[0]?.id ?? 0 })).toEqual(all.slice(1, 2))
    })

    test('behavior: of changes decided on the same version, one is stored', async () => {
      const [one, two] = await Promise.all(
        ['1', '2'].map((n) => store.changeControls({ after: 0, put: [row(n)], entry: entry(n) })),
      )
      expect([one, two].filter((version) => version !== null)).toHaveLength(1)
      const read = await store.readControls(0)
      expect(read).toEqual({ version: one ?? two, controls: [row(one === null ? '2' : '1')] })
      expect(await store.listAudit({ limit: 9, before: null })).toHaveLength(1)
    })

    test('behavior: repeating a change has no effect, also after another one', async () => {
      const given = { after: 0, put: [row('a')], entry: entry('1') }
      const first = await store.changeControls(given)
      expect(await store.changeControls(given)).toBe(first)
      await change('2', { put: [row('a', 2)] })
      expect(await store.changeControls(given)).toBe(first)
      expect((await store.readControls(null))?.controls).toEqual([row('a', 2)])
      expect(await store.listAudit({ limit: 9, before: null })).toHaveLength(2)
    })
  })
}
