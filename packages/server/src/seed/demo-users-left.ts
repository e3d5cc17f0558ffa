import { type Db, OperatorError } from '../db/connect.ts'
import { passwordFits } from '../features/auth/credentials/password-hash.ts'
import { DEMO_PASSWORD, demoPeople } from './demo-people.ts'

/**
 * Throws OperatorError if enabled demo users with the published password are left from an earlier start, because
 * anyone on the network could sign in as them. For a server without a demo that listens on an address other than
 * loopback.
 */
export async function refuseDemoUsers(db: Db, { host }: { host: string }): Promise<void> {
  const logins = demoPeople.filter(({ canSignIn }) => canSignIn).map(({ login }) => login)
  const users = await db
    .selectFrom('app_user')
    .where('login', 'in', logins)
    .where('disabled_at', 'is', null)
    .select(['login', 'password_hash'])
    .orderBy('login')
    .execute()
  const left: string[] = []
  for (const { login, password_hash } of users) if (await passwordFits(password_hash, DEMO_PASSWORD)) left.push(login)
  if (left.length === 0) return
  throw new OperatorError(
    `HOST is ${host}, but demo users with a published password are in this database: ${left.join(', ')}. Start with another DATA_DIR, or with HOST=127.0.0.1 to disable them first, or set DEMO=public to allow it.`,
  )
}
