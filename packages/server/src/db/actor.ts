import type { Role } from '@benchwatch/contract/vocabulary'

/** Customers whose data a caller may see: all, or those with these ids (3-decisions 3). An empty list sees nothing. */
export type DataScope = 'all' | readonly number[]

/** A signed-in user. */
export interface UserActor {
  type: 'user'
  id: number
  name: string
  role: Role
  scope: DataScope
  sessionId: string
}

/** A user without a session, on whose behalf a job continues. */
export type PersonActor = Omit<UserActor, 'sessionId'>

/** A gateway that authenticated with its key. */
export interface GatewayActor {
  type: 'gateway'
  id: number
  name: string
}

/** Another system that authenticated with its API token. */
export interface ApiTokenActor {
  type: 'api_token'
  id: number
  name: string
}

/** The identity provider, which keeps accounts by SCIM. */
export interface ScimActor {
  type: 'scim'
}

/** The product itself. */
export interface SystemActor {
  type: 'system'
}

/** A command run on the server's own machine, such as admin:create. */
export interface CommandActor {
  type: 'command'
  name: string
}

export type Actor = UserActor | GatewayActor | ApiTokenActor | ScimActor | SystemActor | CommandActor

/** Callers by the access that their route declares. */
export interface Callers {
  public: undefined
  'signed-in': UserActor
  gateway: GatewayActor
  cases: UserActor | ApiTokenActor
  registry: UserActor | ApiTokenActor
  'kpi-embed': UserActor
  /** Undefined for callers on this machine, who need not sign in. */
  outbox: UserActor | undefined
}

/** Returns true if the scope contains the customer. */
export function holds(scope: DataScope, customerId: number): boolean {
  return scope === 'all' || scope.includes(customerId)
}
