import { describe, expect, test } from '@jest/globals'
import { blobList, blobsOf, pick, pluck, prepareQuery } from './preparedQuery.ts'

describe('prepareQuery', () => {
  test('default: values are bound where their names stand', () => {
    const query = prepareQuery((on, given: { number: number; hash: Buffer }) =>
      on
        .selectFrom('blocks')
        .select('number')
        .where('hash', '=', given.hash)
        .where('number', '<', given.number)
        .limit(3),
    )
    expect(query.sql).toBe('select "number" from "blocks" where "hash" = ? and "number" < ? limit ?')
    const hash = Buffer.from('01', 'hex')
    expect(query.bind({ number: 7, hash })).toEqual([hash, 7, 3])
    expect(pluck(query)).toMatchObject({ sql: query.sql, bind: query.bind, pluck: true })
  })

  test('behavior: a value that is named twice is bound twice', () => {
    const query = prepareQuery((on, given: { number: number; hash: Buffer }) => {
      const row = pick(given, ['number', 'hash'])
      return on
        .insertInto('blocks')
        .values(row)
        .onConflict((conflict) => conflict.column('number').doUpdateSet(row))
    })
    const hash = Buffer.alloc(2)
    expect(query.bind({ hash, number: 7 })).toEqual([7, hash, 7, hash])
  })

  test('behavior: a list is one value, however long', () => {
    const query = prepareQuery((on, given: { hashes: string }) =>
      on.deleteFrom('blocks').where('hash', 'in', blobsOf(given.hashes)),
    )
    expect(query.sql).toBe('delete from "blocks" where "hash" in (select unhex(value) from json_each(?))')
    expect(query.bind({ hashes: blobList([Buffer.from('01ff', 'hex'), Buffer.alloc(0)]) })).toEqual(['["01ff",""]'])
  })
})
