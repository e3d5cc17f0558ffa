import type { UserActor } from '../../db/actor.ts'

/**
 * Where dashboards of key figures come from. The console shows whatever address it is given in a frame, so another
 * provider than the built-in one is an implementation of this (docs/extending.md).
 */
export interface KpiProvider {
  /** Origins that the console may frame beside its own. */
  frameOrigins: readonly string[]
  /** The dashboards that this person may see; none makes /kpi forbidden to them. */
  dashboards(caller: UserActor): Promise<KpiDashboard[]>
  /**
   * A fresh address of one of them that shows what lies in the caller's scope alone, and until when it is good. Asked for
   * each view: addresses of other providers may open once only. Undefined where it is none of `dashboards`.
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
