import type { FeatureKey, Role } from '@benchwatch/contract/vocabulary'

/** The four tools of document 2, all on one page. */
export const stackedTools = [
  { tool: 'insert-log', label: 'Insert logs' },
  { tool: 'create-event', label: 'Create events' },
  { tool: 'change-status', label: 'Change instrument status' },
  { tool: 'unsubscriptions', label: 'Delete unsubscriptions' },
] as const
export type StackedTool = (typeof stackedTools)[number]['tool']

export const backofficeParts = [
  { part: 'tools', label: 'Tools' },
  { part: 'feed', label: 'Feed' },
  { part: 'parked', label: 'Parked items' },
  { part: 'held-back', label: 'Held-back events' },
  { part: 'contacts', label: 'Contacts and PCs' },
  { part: 'delete', label: 'Delete' },
] as const
export type BackofficePart = (typeof backofficeParts)[number]['part']

/** Reads `?tool=` of the address: a part, or a tool within the part Tools. Unknown values lead to Tools. */
export function readBackofficePlace(tool: unknown): { part: BackofficePart; tool: StackedTool | null } {
  const part = backofficeParts.find((known) => known.part === tool)?.part
  const stacked = stackedTools.find((known) => known.tool === tool)?.tool
  return { part: part ?? 'tools', tool: stacked ?? null }
}

/**
 * True if the user may open the back office: staff with its flag (3-decisions 3). The server checks the same on every
 * call.
 */
export function mayEnterBackoffice(role: Role, features: readonly FeatureKey[]): boolean {
  return role !== 'customer' && features.includes('BACKOFFICE')
}
