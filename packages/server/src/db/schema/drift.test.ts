import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../testing/test-database.ts'

/**
 * The table types are written by hand, for their comments and exact value types. This test compares them with the
 * migrated database: same tables, same columns, null where the database allows it.
 */

interface Column {
  table: string
  column: string
  nullable: boolean
}

const byName = (a: Column, b: Column) => `${a.table}.${a.column}`.localeCompare(`${b.table}.${b.column}`)

function declaredColumns(): Column[] {
  const folder = new URL('.', import.meta.url)
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n')
  const interfaces = new Map(
    [...sources.matchAll(/(?:export )?interface (\w+) \{\n([\s\S]*?)\n\}/g)].map(([, name = '', body = '']) => [
      name,
      body,
    ]),
  )
  return properties(interfaces.get('Database') ?? '').flatMap(({ name: table, type: tableType }) =>
    properties(interfaces.get(tableType) ?? '').map(({ name: column, type }) => ({
      table,
      column,
      nullable: /\bnull\b|OrNull/.test(type),
    })),
  )
}

function properties(body: string): { name: string; type: string }[] {
  return [...body.matchAll(/^ {2}(\w+): ((?:.|\n {4})+)$/gm)].map(([, name = '', type = '']) => ({ name, type }))
}

describe('the table types', () => {
  it('are those of the migrated database, column by column', async () => {
    const { db } = await testDatabase()
    const { rows } = await sql<Column>`
      SELECT c.table_name AS table, c.column_name AS column, c.is_nullable = 'YES' AS nullable
      FROM information_schema.columns c WHERE c.table_schema = 'public' AND c.table_name <> 'schema_migration'
        AND NOT (SELECT relispartition FROM pg_class WHERE oid = c.table_name::regclass)`.execute(db)
    const declared = declaredColumns()
    expect(declared.length).toBeGreaterThan(200)
    expect(declared.sort(byName)).toEqual(rows.sort(byName))
  })
})
