import type { UserActor } from '../../db/actor.ts'
import type { FeatureContext } from '../context.ts'
import { signKpiEmbedToken } from './kpi-embed-token.ts'
import type { KpiDashboard, KpiProvider } from './kpi-provider.ts'

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
