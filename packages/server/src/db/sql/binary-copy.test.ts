import { pipeline } from 'node:stream/promises'
import { to } from 'pg-copy-streams'
import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/test-database.ts'
import { readBinaryCopy } from './binary-copy.ts'

test('rows of a binary copy are read as stored in the database, over any number of pieces', async () => {
  const database = await testDatabase()
  const client = await database.dedicatedClient()
  const rows: unknown[] = []
  try {
    await pipeline(
      client.query(
        to(`COPY (SELECT n::int2, nullif(n, 7)::int4, n * 1000000007::int8, n % 2 = 0, TIMESTAMPTZ '2026-11-20 14:00:00.123Z' + n * interval '1 ms',
          repeat('ö', n % 900) FROM generate_series(1, 3000) AS n) TO STDOUT (FORMAT binary)`),
      ),
      readBinaryCopy((row) =>
        rows.push([row.int2(), row.int4(), row.int8(), row.boolean(), row.instant(), row.bytes().toString()]),
      ),
    )
  } finally {
    await client.end()
  }
  const first = Date.parse('2026-11-20T14:00:00.123Z')
  expect(rows).toEqual(
    Array.from({ length: 3000 }, (_, index) => {
      const n = index + 1
      return [n, n === 7 ? null : n, n * 1_000_000_007, n % 2 === 0, first + n, 'ö'.repeat(n % 900)]
    }),
  )
})
