import type { FeatureKey, Role } from '@benchwatch/contract/vocabulary'

/** Who enters the back office: staff for whom its flag is on (3-decisions 3). The server holds the same at each of its calls. */
export function mayEnterBackoffice(role: Role, features: readonly FeatureKey[]): boolean {
  return role !== 'customer' && features.includes('BACKOFFICE')
}
