import { describe, expect, test } from '@jest/globals'
import { bound } from './dialect.ts'
import { blobsOf, pick, pluck, prepareForPostgres, prepareQuery } from './preparedQuery.ts'

const hash = Buffer.from('01', 'hex')

describe('prepareQuery', () => {
  test('default: values are bound in place of their names, on both databases', () => {
    const query = prepareQuery((on, given: { number: number; hash: Buffer }) =>
      on
        .selectFrom('blocks')
        .select('number')
        .where('hash', '=', given.hash)
        .where('number', '<', given.number)
        .limit(3),
    )
    expect(query.sqlite?.sql).toBe('select "number" from "blocks" where "hash" = ? and "number" < ? limit ?')
    expect(query.postgres.sql).toBe('select "number" from "blocks" where "hash" = $1 and "number" < $2 limit $3')
    for (const compiled of [query.sqlite, query.postgres]) {
      expect(compiled?.bind({ number: 7, hash })).toEqual([hash, 7, 3])
    }
    expect(query.postgres).toBe(query.postgres)
    const plucked = pluck(query)
    expect(plucked).toMatchObject({ sqlite: query.sqlite, pluck: true })
    expect(plucked.postgres).toBe(query.postgres)
  })

  test('behavior: a value named twice is bound twice', () => {
    const query = prepareQuery((on, given: { number: number; hash: Buffer }) => {
      const row = pick(given, ['number', 'hash'])
      return on
        .insertInto('blocks')
        .values(row)
        .onConflict((conflict) => conflict.column('number').doUpdateSet(row))
    })
    for (const compiled of [query.sqlite, query.postgres]) {
      expect(compiled?.bind({ hash, number: 7 })).toEqual([7, hash, 7, hash])
    }
  })

  test('behavior: a list of any length is one parameter', () => {
    const query = prepareQuery((on, given: { hashes: readonly Buffer[] }) =>
      on.deleteFrom('blocks').where('hash', 'in', blobsOf(given.hashes)),
    )
    const hashes = [Buffer.from('01ff', 'hex'), Buffer.alloc(0)]
    expect(query.sqlite?.sql).toBe('delete from "blocks" where "hash" in (select unhex(value) from json_each(?))')
    expect(query.sqlite?.bind({ hashes })).toEqual(['["01ff",""]'])
    expect(query.postgres.sql).toBe('delete from "blocks" where "hash" in (select unnest($1::bytea[]))')
    expect(query.postgres.bind({ hashes })).toEqual([hashes])
  })

  test('behavior: SQL that differs is rendered for each database', () => {
    const query = prepareQuery((on, given: { limit: number }) =>
      on.selectFrom('blocks').select('number').limit(bound(given.limit)),
    )
    expect(query.sqlite?.sql).toBe('select "number" from "blocks" limit +?')
    expect(query.postgres.sql).toBe('select "number" from "blocks" limit $1')
  })

  test('behavior: a query for PostgreSQL only has no SQL for SQLite', () => {
    const query = prepareForPostgres((on) => on.selectFrom('blocks').select('number'))
    expect(query.sqlite).toBeNull()
    expect(query.postgres.sql).toBe('select "number" from "blocks"')
  })
})
