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

/** The page requests a new token from the surrounding console before this one expires. */
const SECONDS = 5 * 60

/** Folder of the web build with the page of the dashboard, and its path. */
export const KPI_EMBED_FOLDER = 'kpi-embed'

export const builtInDashboard: KpiDashboard = { id: 'overview', name: 'Service overview' }

/** The audience names the dashboard: a token opens this one only, and nothing else. */
const purpose: TokenPurpose = { audience: `urn:benchwatch:kpi-embed:${builtInDashboard.id}`, type: 'kpi-embed+jwt' }

/** Key figures show how service staff perform, so customers have none (3-decisions 3). */
export function seesBuiltInKpi({ role }: Pick<UserActor, 'role'>): boolean {
  return role !== 'customer'
}

/** Creates the dashboard that comes with the product: a page of its own that reads the tables of `kpi-measures.ts`. */
export function createBuiltInKpi(context: TokenContext): KpiProvider {
  return {
    frameOrigins: [],
    dashboards: async (caller) => (seesBuiltInKpi(caller) ? [builtInDashboard] : []),
    async embed(caller, id) {
      if (id !== builtInDashboard.id || !seesBuiltInKpi(caller)) return undefined
      const { token, expiresAt } = await signKpiEmbedToken(context, { userId: caller.id, sessionId: caller.sessionId })
      // In the fragment, which browsers do not send, so that no access log contains the token.
      return { url: `/${KPI_EMBED_FOLDER}/#token=${token}`, expiresAt }
    },
  }
}

/** Returns a token for the dashboard that belongs to a session, and its expiry. */
export async function signKpiEmbedToken(
  { db, clock }: TokenContext,
  subject: TokenSubject,
): Promise<{ token: string; expiresAt: Date }> {
  // Tokens count whole seconds.
  const issuedAt = Math.floor(clock.now().getTime() / 1000)
  const token = await signSessionToken({ db, clock }, subject, { ...purpose, seconds: SECONDS })
  return { token, expiresAt: new Date((issuedAt + SECONDS) * 1000) }
}

/**
 * Admits callers with a valid token of the built-in dashboard, with their current rights: signing out, disabling,
 * another role or another scope take effect on the next call, although the token is valid for some minutes more.
 */
export function createKpiEmbedAccess({ db, clock }: TokenContext) {
  return async (request: FastifyRequest): Promise<UserActor> => {
    const token = bearerOf(request)
    const subject = token === undefined ? undefined : await verifySessionToken({ db, clock }, token, purpose)
    const caller = subject && (await findCaller(db, subject))
    if (!caller || !seesBuiltInKpi(caller)) throw problem('session-expired', 'Session expired')
    return caller
  }
}
