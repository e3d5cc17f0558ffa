import type { UserActor } from '../../db/actor.ts'
import {
  signSessionToken,
  type TokenPurpose,
  type TokenSubject,
  verifySessionToken,
} from '../auth/session/session-token.ts'
import type { FeatureContext } from '../context.ts'
import type { KpiDashboard, KpiProvider } from './kpi-provider.ts'

type Doors = Pick<FeatureContext, 'db' | 'clock'>

/** The dashboard is part of the audience: a token for one opens no other, and nothing else. */
const purposeOf = (dashboard: string): TokenPurpose => ({
  audience: `urn:benchwatch:kpi-embed:${dashboard}`,
  type: 'kpi-embed+jwt',
})

/** The page asks the console around it for a new one before it ends. */
const SECONDS = 5 * 60

/** The folder of the web build that holds its page, and its path. */
export const KPI_EMBED_FOLDER = 'kpi-embed'

export const builtInDashboard: KpiDashboard = { id: 'overview', name: 'Service overview' }

/** Key figures tell how people of the service do; customers have none (3-decisions 3). */
export function seesBuiltInKpi({ role }: Pick<UserActor, 'role'>): boolean {
  return role !== 'customer'
}

/** The dashboard that comes with the product: a page of its own that reads the tables of `kpi-tables.ts`. */
export function createBuiltInKpi(doors: Pick<FeatureContext, 'db' | 'clock'>): KpiProvider {
  return {
    frameOrigins: [],
    dashboards: async (caller) => (seesBuiltInKpi(caller) ? [builtInDashboard] : []),
    async embed(caller, id) {
      if (id !== builtInDashboard.id || !seesBuiltInKpi(caller)) return undefined
      const subject = { userId: caller.id, sessionId: caller.sessionId }
      const { token, expiresAt } = await signKpiEmbedToken(doors, { subject, dashboard: id })
      // In the fragment, which browsers send to nobody: no log of an address holds the token.
      return { url: `/${KPI_EMBED_FOLDER}/#token=${token}`, expiresAt }
    },
  }
}

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
