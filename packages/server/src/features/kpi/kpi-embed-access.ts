import type { FastifyRequest } from 'fastify'
import type { UserActor } from '../../db/actor.ts'
import { problem } from '../../platform/http/problem.ts'
import { findCaller } from '../auth/session/session.store.ts'
import { bearerOf } from '../auth/session/session-token.ts'
import type { FeatureContext } from '../context.ts'
import { builtInDashboard, seesBuiltInKpi, verifyKpiEmbedToken } from './built-in-kpi.ts'

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
