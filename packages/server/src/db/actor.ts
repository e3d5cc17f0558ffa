import type { Role } from '@benchwatch/contract/vocabulary'

/** Which customers' things somebody may see: all, or these ids (3-decisions 3). An empty list sees nothing. */
export type DataScope = 'all' | readonly number[]

/** A signed-in person, as every feature is told of them. */
export interface UserActor {
  type: 'user'
  id: number
  name: string
  role: Role
  scope: DataScope
  sessionId: string
}

/** A person away from any session, as whom a job goes on with what they began. */
export type PersonActor = Omit<UserActor, 'sessionId'>

/** A gateway that proved its key. */
export interface GatewayActor {
  type: 'gateway'
  id: number
  name: string
}

/** Another system that proved its API token. */
export interface ApiTokenActor {
  type: 'api_token'
  id: number
  name: string
}

/** What the product does by itself. */
export interface SystemActor {
  type: 'system'
}

/** A command typed on the server's own machine, such as admin:create. */
export interface CommandActor {
  type: 'command'
  name: string
}

export type Actor = UserActor | GatewayActor | ApiTokenActor | SystemActor | CommandActor

/** Who calls, by the access that their route declares. */
export interface Callers {
  public: undefined
  'signed-in': UserActor
  gateway: GatewayActor
  registry: UserActor | ApiTokenActor
  'kpi-embed': UserActor
  /** Somebody on this machine is not asked who they are. */
  outbox: UserActor | undefined
}

/** Whether a scope holds a customer. */
export function holds(scope: DataScope, customerId: number): boolean {
  return scope === 'all' || scope.includes(customerId)
}
