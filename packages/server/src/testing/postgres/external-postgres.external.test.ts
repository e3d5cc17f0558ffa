import { sql } from 'kysely'
import { expect, inject, it } from 'vitest'
import { testDatabase } from '../test-database.ts'

it('is another release than the embedded one, sorts by a language, and its owner is no superuser', async () => {
  const { db } = await testDatabase()
  const { rows } = await sql<{ major: number; sorted: string[]; superuser: boolean }>`
    SELECT current_setting('server_version_num')::int / 10000 AS major,
      (SELECT array_agg(word ORDER BY word) FROM unnest(ARRAY['a', 'B', 'c']) AS word) AS sorted,
      (SELECT rolsuper FROM pg_roles WHERE rolname = session_user) AS superuser`.execute(db)
  expect(rows).toEqual([{ major: inject('installedPostgres').major, sorted: ['a', 'B', 'c'], superuser: false }])
})
