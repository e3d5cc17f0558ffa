import type { Role } from '@benchwatch/contract/vocabulary'
import type { DataScope } from '../db/actor.ts'
import type { DatabaseHandle } from '../db/connect.ts'
import { inTransaction } from '../db/transaction.ts'
import { hashPassword } from '../features/auth/credentials/password-hash.ts'
import { insertUser } from '../features/users/users.store.ts'

/** The password of every sample user. */
export const SAMPLE_PASSWORD = 'Benchwatch-2026!'

let passwordHash: Promise<string> | undefined

/** Returns the hash of the password of every sample user, which takes 8 ms and 19 MiB to compute. */
export function samplePasswordHash(): Promise<string> {
  passwordHash ??= hashPassword(SAMPLE_PASSWORD)
  return passwordHash
}

interface Person {
  login: string
  name?: string | null
  role?: Role
  scope?: DataScope
  msisdn?: string | null
}

/** Adds one user: by default a field engineer with all customers. Returns the id. */
export async function addSamplePerson(
  { db }: Pick<DatabaseHandle, 'db'>,
  { login, name = login.split('@', 1)[0] ?? login, role = 'service', scope = 'all', msisdn = null }: Person,
): Promise<number> {
  const user = { login, name, email: login, msisdn, role, scope, passwordHash: await samplePasswordHash() }
  const actor = { type: 'command', name: 'test' } as const
  const at = new Date('2026-11-01T08:00:00.000Z')
  const id = await inTransaction(db, (trx) => insertUser(trx, { user, actor, at }))
  if (id === undefined) throw new Error(`There is already a user ${login}.`)
  return id
}
