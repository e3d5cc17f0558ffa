import type { Config } from '../../config.ts'
import { hashPassword } from '../auth/password-hash.ts'
import { TEMPORARY_PASSWORD_DAYS, temporaryPassword } from '../auth/temporary-password.ts'

/** What an invitation opens: a temporary password where passwords are kept here, else the provider's own sign-in. */
export type WayIn =
  | { password: string; stored: { passwordHash: string; mustChangePassword: true; temporaryPasswordUntil: Date } }
  | { password: null; stored: { passwordHash: null } }

/** Makes a way in. Called before a transaction: hashing takes a tenth of a second on purpose. */
export async function newWayIn({ identity }: Pick<Config, 'identity'>, at: Date): Promise<WayIn> {
  if (identity.provider !== 'local') return { password: null, stored: { passwordHash: null } }
  const password = temporaryPassword()
  const temporaryPasswordUntil = new Date(at.getTime() + TEMPORARY_PASSWORD_DAYS * 86_400_000)
  const passwordHash = await hashPassword(password)
  return { password, stored: { passwordHash, mustChangePassword: true, temporaryPasswordUntil } }
}
