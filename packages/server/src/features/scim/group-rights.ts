import { roles } from '@benchwatch/contract/vocabulary'
import type { GroupRights } from '../../config.ts'

/** Rights by all groups of a user together. `customers` are keys, null for all. */
export type Rights = Pick<GroupRights, 'role' | 'customers'>

/**
 * Returns what groups with these names allow together, by the configured rules: the highest role, for the customers of
 * all of them. Returns undefined if no rule names any of them. Names are compared without case.
 */
export function rightsOf(names: readonly string[], rules: readonly GroupRights[]): Rights | undefined {
  const keys = new Set(names.map(groupKey))
  const own = rules.filter(({ name }) => keys.has(groupKey(name)))
  const highest = own.toSorted((one, other) => roles.indexOf(other.role) - roles.indexOf(one.role))[0]
  if (!highest) return undefined
  const isForAll = own.some(({ customers }) => customers === null)
  const customers = isForAll ? null : [...new Set(own.flatMap((rule) => rule.customers ?? []))]
  return { role: highest.role, customers }
}

export function groupKey(name: string): string {
  return name.trim().normalize('NFKC').toLowerCase()
}
