import type { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../testing/test-database.ts'
import { copyMixedRows, copyRows } from './copy-rows.ts'

let client: Client

beforeAll(async () => {
  client = await (await testDatabase()).dedicatedClient()
  await client.query('CREATE TEMPORARY TABLE one (n int PRIMARY KEY, t text, l text[], at timestamptz)')
  await client.query('CREATE TEMPORARY TABLE two (n int)')
})
beforeEach(() => client.query('TRUNCATE one, two'))
afterAll(() => client.end())

const one = { table: 'one', columns: ['n', 't', 'l', 'at'] }

describe('rows by COPY', () => {
  it('hold whatever a text may hold', async () => {
    const text = 'tab\t, line\r\n, \\N, \\, "quoted", {braces}, ÄKTA 🧪'
    const at = new Date('2026-11-20T14:00:00.123Z')
    await copyRows(client, one, [
      [1, text, [text, '', 'NULL', 'a,b'], at],
      [2, null, [], undefined],
      [3, '', null, at.toISOString()],
    ])
    const { rows } = await client.query('SELECT * FROM one ORDER BY n')
    expect(rows).toEqual([
      { n: 1, t: text, l: [text, '', 'NULL', 'a,b'], at },
      { n: 2, t: null, l: [], at: null },
      { n: 3, t: '', l: null, at },
    ])
  })

  it('of several tables may come mixed and in any number', async () => {
    const rows = function* () {
      for (let n = 0; n < 4321; n += 1) {
        yield { table: 'one', row: [n, `row ${n}`, null, null] } as const
        if (n % 3 === 0) yield { table: 'two', row: [n] } as const
      }
    }
    await copyMixedRows(client, { one: one.columns, two: ['n'] }, rows())
    const { rows: counted } = await client.query(
      'SELECT (SELECT count(*) FROM one) AS one, (SELECT sum(n) FROM one) AS sum, (SELECT count(*) FROM two) AS two',
    )
    expect(counted).toEqual([{ one: 4321, sum: (4320 * 4321) / 2, two: 1441 }])
  })

  it('that the database refuses are an error, and the connection continues', async () => {
    const rows = Array.from({ length: 2500 }, (_, n) => [n === 700 ? 1 : n, null, null, null])
    await expect(copyRows(client, one, rows)).rejects.toThrow('duplicate key')
    expect((await client.query('SELECT 1 AS still')).rows).toEqual([{ still: 1 }])
  })

  it('whose source fails leave what was begun to the transaction', async () => {
    const rows = function* () {
      for (let n = 0; n < 1500; n += 1) yield [n, null, null, null]
      throw new Error('no more')
    }
    await client.query('BEGIN')
    await expect(copyRows(client, one, rows())).rejects.toThrow('no more')
    await client.query('ROLLBACK')
    expect((await client.query('SELECT count(*) AS left FROM one')).rows).toEqual([{ left: 0 }])
  })
})
