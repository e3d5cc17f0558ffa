import type { Client } from 'pg'

/** The result of amcheck: the number of checked relations, and each complaint. */
interface Soundness {
  indexes: number
  tables: number
  complaints: string[]
}

/** Checks every B-tree of the product against its table, and every table's pages, with PostgreSQL's own amcheck. */
export async function checkSoundness(database: Client): Promise<Soundness> {
  await database.query('CREATE EXTENSION IF NOT EXISTS amcheck')
  const complaints: string[] = []
  const indexes = await namesOf(
    database,
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_am a ON a.oid = c.relam AND a.amname = 'btree'
     WHERE c.relkind = 'i' AND c.relpersistence = 'p'`,
  )
  for (const index of indexes) {
    // `true` includes the heap: every row must be found in the index.
    await database.query('SELECT bt_index_check($1::regclass, true)', [index]).catch((error: Error) => {
      complaints.push(`${index}: ${error.message}`)
    })
  }
  const tables = await namesOf(
    database,
    "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 't') AND relpersistence = 'p'",
  )
  for (const table of tables) {
    const { rows } = await database.query<{ msg: string }>('SELECT msg FROM verify_heapam($1::regclass)', [table])
    complaints.push(...rows.map(({ msg }) => `${table}: ${msg}`))
  }
  return { indexes: indexes.length, tables: tables.length, complaints }
}

async function namesOf(database: Client, query: string): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(query)
  return rows.map(({ name }) => name)
}
