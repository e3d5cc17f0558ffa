import { signSessionToken, type TokenPurpose, type TokenSubject, verifySessionToken } from '../auth/session-token.ts'
import type { FeatureContext } from '../context.ts'

type Doors = Pick<FeatureContext, 'db' | 'clock'>

/** The dashboard is part of the audience: a token for one opens no other, and nothing else. */
const purposeOf = (dashboard: string): TokenPurpose => ({
  audience: `urn:benchwatch:kpi-embed:${dashboard}`,
  type: 'kpi-embed+jwt',
})

/** The page asks the console around it for a new one before it ends. */
const SECONDS = 5 * 60

/** A token for one dashboard, as somebody in a session, and when it ends. */
export async function signKpiEmbedToken(
  { db, clock }: Doors,
  { subject, dashboard }: { subject: TokenSubject; dashboard: string },
): Promise<{ token: string; expiresAt: Date }> {
  // Tokens count whole seconds.
  const issuedAt = Math.floor(clock.now().getTime() / 1000)
  const token = await signSessionToken({ db, clock }, subject, { ...purposeOf(dashboard), seconds: SECONDS })
  return { token, expiresAt: new Date((issuedAt + SECONDS) * 1000) }
}

/** Whose token this is, if it is good for this dashboard; undefined otherwise. */
export function verifyKpiEmbedToken(
  doors: Doors,
  { token, dashboard }: { token: string; dashboard: string },
): Promise<TokenSubject | undefined> {
  return verifySessionToken(doors, token, purposeOf(dashboard))
}
