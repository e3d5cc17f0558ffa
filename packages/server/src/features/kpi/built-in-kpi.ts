import type { FastifyRequest } from 'fastify'
import type { UserActor } from '../../db/actor.ts'
import { problem } from '../../platform/http/problem.ts'
import { findCaller } from '../auth/session/session.store.ts'
import {
  bearerOf,
  signSessionToken,
  type TokenPurpose,
  type TokenSubject,
  verifySessionToken,
} from '../auth/session/session-token.ts'
import type { FeatureContext } from '../context.ts'
import type { KpiDashboard, KpiProvider } from './kpi-provider.ts'

type TokenContext = Pick<FeatureContext, 'db' | 'clock'>

/** The audience names the dashboard: a token opens this one only, and nothing else. */
const purposeOf = (dashboard: string): TokenPurpose => ({
  audience: `urn:benchwatch:kpi-embed:${dashboard}`,
  type: 'kpi-embed+jwt',
})

/** The page requests a new token from the surrounding console before this one expires. */
const SECONDS = 5 * 60

/** Folder of the web build with the page of the dashboard, and its path. */
export const KPI_EMBED_FOLDER = 'kpi-embed'

export const builtInDashboard: KpiDashboard = { id: 'overview', name: 'Service overview' }

/** Key figures show how service staff perform, so customers have none (3-decisions 3). */
export function seesBuiltInKpi({ role }: Pick<UserActor, 'role'>): boolean {
  return role !== 'customer'
}

/** Creates the dashboard that comes with the product: a page of its own that reads the tables of `kpi-measures.ts`. */
export function createBuiltInKpi(context: Pick<FeatureContext, 'db' | 'clock'>): KpiProvider {
  return {
    frameOrigins: [],
    dashboards: async (caller) => (seesBuiltInKpi(caller) ? [builtInDashboard] : []),
    async embed(caller, id) {
      if (id !== builtInDashboard.id || !seesBuiltInKpi(caller)) return undefined
      const subject = { userId: caller.id, sessionId: caller.sessionId }
      const { token, expiresAt } = await signKpiEmbedToken(context, { subject, dashboard: id })
      // In the fragment, which browsers do not send, so that no access log contains the token.
      return { url: `/${KPI_EMBED_FOLDER}/#token=${token}`, expiresAt }
    },
  }
}

/** Returns a token for one dashboard that belongs to a session, and its expiry. */
export async function signKpiEmbedToken(
  { db, clock }: TokenContext,
  { subject, dashboard }: { subject: TokenSubject; dashboard: string },
): Promise<{ token: string; expiresAt: Date }> {
  // Tokens count whole seconds.
  const issuedAt = Math.floor(clock.now().getTime() / 1000)
  const token = await signSessionToken({ db, clock }, subject, { ...purposeOf(dashboard), seconds: SECONDS })
  return { token, expiresAt: new Date((issuedAt + SECONDS) * 1000) }
}

/** Returns the subject of this token if it is valid for this dashboard; otherwise undefined. */
export function verifyKpiEmbedToken(
  context: TokenContext,
  { token, dashboard }: { token: string; dashboard: string },
): Promise<TokenSubject | undefined> {
  return verifySessionToken(context, token, purposeOf(dashboard))
}

/**
 * Admits callers with a valid token of the built-in dashboard, with their current rights: signing out, disabling,
 * another role or another scope take effect on the next call, although the token is valid for some minutes more.
 */
export function createKpiEmbedAccess({ db, clock }: Pick<FeatureContext, 'db' | 'clock'>) {
  return async (request: FastifyRequest): Promise<UserActor> => {
    const token = bearerOf(request)
    const subject =
      token === undefined
        ? undefined
        : await verifyKpiEmbedToken({ db, clock }, { token, dashboard: builtInDashboard.id })
    const caller = subject && (await findCaller(db, subject))
    if (!caller || !seesBuiltInKpi(caller)) throw problem('session-expired', 'Session expired')
    return caller
  }
}
