import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'

/** The stored facts that decide whether an account may sign in. */
export interface Credential {
  userId: number
  login: string
  name: string | null
  email: string
  msisdn: string | null
  passwordHash: string | null
  mustChangePassword: boolean
  temporaryPasswordUntil: Date | null
  smsMfa: boolean
  /** True if an authenticator app was confirmed. */
  totp: boolean
}

/** Returns the credential of an account, or undefined for unknown and disabled accounts. */
export async function findCredential(db: Db, login: string): Promise<Credential | undefined> {
  // PostgreSQL refuses NUL in text; such a name is unknown like any other.
  if (login.includes('\u0000')) return undefined
  const row = await credentials(db).where('login', '=', login).executeTakeFirst()
  return row && credentialOf(row)
}

/** Returns the credential of a signed-in user. */
export async function findCredentialOfUser(db: Db, userId: number): Promise<Credential | undefined> {
  const row = await credentials(db).where('id', '=', userId).executeTakeFirst()
  return row && credentialOf(row)
}

/** Returns the account with this address as its login, or else the only account with it as its e-mail address. */
export async function findCredentialByEmail(db: Db, email: string): Promise<Credential | undefined> {
  const rows = await credentials(db)
    .where((eb) => eb.or([eb('login', '=', email), eb(sql`lower(email)`, '=', email)]))
    .orderBy((eb) => eb('login', '=', email), 'desc')
    .limit(2)
    .execute()
  const [first, second] = rows
  if (!first || (first.login !== email && second)) return undefined
  return credentialOf(first)
}

function credentials(db: Db) {
  return db
    .selectFrom('app_user')
    .select([
      'id',
      'login',
      'name',
      'email',
      'msisdn',
      'password_hash',
      'must_change_password',
      'temporary_password_until',
      'sms_mfa',
      'totp_confirmed_at',
    ])
    .where('role', '<>', 'system')
    .where('disabled_at', 'is', null)
}

type Row = Awaited<ReturnType<ReturnType<typeof credentials>['executeTakeFirstOrThrow']>>

function credentialOf(row: Row): Credential {
  return {
    userId: row.id,
    login: row.login,
    name: row.name,
    email: row.email,
    msisdn: row.msisdn,
    passwordHash: row.password_hash,
    mustChangePassword: row.must_change_password,
    temporaryPasswordUntil: row.temporary_password_until,
    smsMfa: row.sms_mfa,
    totp: row.totp_confirmed_at !== null,
  }
}

/** Replaces a hash made with older parameters. Returns false if the password was changed in the meantime. */
export async function renewPasswordHash(
  db: Db,
  { login, from, to }: { login: string; from: string; to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('app_user')
    .set({ password_hash: to })
    .where('login', '=', login)
    .where('password_hash', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
