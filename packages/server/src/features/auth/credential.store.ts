import type { Db } from '../../db/connect.ts'

/** The login and password hash of an account that may sign in; undefined for unknown and disabled ones. */
export async function findCredential(
  db: Db,
  login: string,
): Promise<{ login: string; passwordHash: string | null } | undefined> {
  const row = await db
    .selectFrom('app_user')
    .select(['login', 'password_hash'])
    .where('login', '=', login)
    .where('role', '<>', 'system')
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return row && { login: row.login, passwordHash: row.password_hash }
}

/** Replaces a hash made with older parameters, unless the password was changed meanwhile. */
export async function renewPasswordHash(
  db: Db,
  { login, from, to }: { login: string; from: string; to: string },
): Promise<void> {
  await db
    .updateTable('app_user')
    .set({ password_hash: to })
    .where('login', '=', login)
    .where('password_hash', '=', from)
    .execute()
}

/** The account behind an identity that a provider vouches for; undefined for unknown and disabled ones. */
export async function findAccount(db: Db, login: string): Promise<{ id: number } | undefined> {
  return db
    .selectFrom('app_user')
    .select('id')
    .where('login', '=', login)
    .where('role', '<>', 'system')
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
}
