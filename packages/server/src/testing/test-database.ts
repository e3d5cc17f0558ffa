import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { type ConnectionTarget, connectDatabase, type DatabaseHandle } from '../db/connect.ts'
import { asAdministrator, inDatabase, templateName } from './test-cluster.ts'

export interface TestDatabase extends DatabaseHandle {
  /** The owner of the schema, who has rights that the application lacks. */
  owner: ConnectionTarget
}

/** Two workers with a pool, a listener and a leader each stay far below the server's 60 connections. */
const POOL_SIZE = 4

let opened: Promise<{ database: TestDatabase; drop(): Promise<void> }> | undefined

/**
 * Returns the test file's own database, freshly migrated, with the application's role; the same one for every call in
 * that file. It is a copy of the run's template and not one database that is emptied between files: that takes 200 ms
 * instead of 110 for a TRUNCATE of all tables, but in return the rows of the migrations exist, sequences restart, and
 * nothing that an earlier file did or left running can affect this one. It is dropped after the file.
 */
export async function testDatabase(): Promise<TestDatabase> {
  opened ??= open()
  return (await opened).database
}

const emptyOnes: string[] = []

/** Creates a further, completely empty database on the run's server; it is dropped after the test file. */
export async function emptyDatabase(): Promise<ConnectionTarget> {
  const cluster = inject('testCluster')
  const name = `${cluster.prefix}_${randomBytes(4).toString('hex')}`
  await asAdministrator(cluster, `CREATE DATABASE ${name}`)
  emptyOnes.push(name)
  return inDatabase(cluster.administrator, name)
}

/** Drops the databases of a finished test file (drop-test-databases.ts). */
export async function dropTestDatabases(): Promise<void> {
  for (const name of emptyOnes.splice(0)) {
    await asAdministrator(inject('testCluster'), `DROP DATABASE ${name} WITH (FORCE)`)
  }
  const current = await opened
  opened = undefined
  await current?.database.close()
  await current?.drop()
}

async function open() {
  const cluster = inject('testCluster')
  const name = `${cluster.prefix}_${randomBytes(4).toString('hex')}`
  // Half as expensive as writing the copy to the log of the server, which is never needed.
  await asAdministrator(cluster, `CREATE DATABASE ${name} TEMPLATE ${templateName(cluster)} STRATEGY FILE_COPY`)
  const owner = inDatabase(cluster.administrator, name)
  const handle = await connectDatabase({ connection: owner, poolSize: POOL_SIZE })
  return {
    database: { ...handle, owner },
    drop: () => asAdministrator(cluster, `DROP DATABASE ${name} WITH (FORCE)`),
  }
}
