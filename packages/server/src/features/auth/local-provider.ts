import type { Db } from '../../db/connect.ts'
import { problem } from '../../platform/http/problem.ts'
import { findCredential, renewPasswordHash } from './credential.store.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { hashPassword, isOutdated, passwordFits } from './password-hash.ts'

/** Identities kept in this server's own database: login and password. */
export function localProvider(db: Db): IdentityProvider {
  return {
    kind: 'local',
    async signIn({ userId, password }) {
      const login = userId.trim().toLowerCase()
      // PostgreSQL refuses NUL in a text; such a name is unknown like any other.
      const credential = login.includes('\u0000') ? undefined : await findCredential(db, login)
      const passwordHash = credential?.passwordHash ?? null
      const fits = await passwordFits(passwordHash, password)
      if (!credential || passwordHash === null || !fits) {
        throw problem('bad-credentials', 'Incorrect username or password.')
      }
      if (isOutdated(passwordHash)) {
        await renewPasswordHash(db, { login, from: passwordHash, to: await hashPassword(password) })
      }
      return { kind: 'identity', identity: { login } }
    },
    answer: notYet,
    resend: notYet,
    forgotPassword: notYet,
    confirmForgotPassword: notYet,
  }
}

async function notYet(): Promise<never> {
  throw problem('unavailable', 'Further steps of signing in are being built.')
}
