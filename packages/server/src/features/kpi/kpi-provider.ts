import type { UserActor } from '../../db/actor.ts'

/**
 * Source of key-figure dashboards. The console shows any address it is given in a frame, so a provider other than the
 * built-in one implements this interface (docs/extending.md).
 */
export interface KpiProvider {
  /** Origins that the console may frame in addition to its own. */
  frameOrigins: readonly string[]
  /** Returns the dashboards that this user may see; without any, /kpi is forbidden for them. */
  dashboards(caller: UserActor): Promise<KpiDashboard[]>
  /**
   * Returns a new address of a dashboard that shows only what the caller's scope includes, and its expiry. Called for
   * each view, because addresses of other providers may open only once. Undefined if it is none of `dashboards`.
   */
  embed(caller: UserActor, id: string): Promise<KpiEmbed | undefined>
}

export interface KpiDashboard {
  id: string
  name: string
}

export interface KpiEmbed {
  url: string
  expiresAt: Date
}
