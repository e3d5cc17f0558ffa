import { builtInDashboard } from '../features/kpi/built-in-kpi.ts'
import { signKpiEmbedToken } from '../features/kpi/kpi-embed-token.ts'
import type { Scene } from './access-callers.ts'

/** Good requests about key figures (`access-requests.ts`). */
export const kpiRequests = {
  listKpiDashboards: () => ({}),
  getKpiDashboard: () => ({ params: { id: builtInDashboard.id } }),
  getKpiTable: async (scene: Scene) => ({
    params: { measure: 'noisiest-instruments' as const },
    query: { from: '2026-11-01', to: '2026-11-20' },
    headers: await kpiEmbedOf(scene),
  }),
  listKpiCustomers: async (scene: Scene) => ({ headers: await kpiEmbedOf(scene) }),
} as const

/** The token of the built-in dashboard as the caller would have it if they saw it; nothing for who is no person. */
async function kpiEmbedOf({ app, caller }: Scene): Promise<Record<string, string>> {
  if (caller.userId === null) return {}
  const { id: sessionId } = await app.database.db
    .selectFrom('session')
    .where('user_id', '=', caller.userId)
    .select('id')
    .executeTakeFirstOrThrow()
  const { token } = await signKpiEmbedToken(
    { db: app.database.db, clock: app.clock },
    { subject: { userId: caller.userId, sessionId }, dashboard: builtInDashboard.id },
  )
  return { authorization: `Bearer ${token}` }
}
