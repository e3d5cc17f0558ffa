import type { FeatureKey, Role } from '@benchwatch/contract/vocabulary'

/** What the address of the back office names: `/backoffice?tool=…`. */

/** The four tools of document 2, one below the other; each is a place on one page. */
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

/** The part that an address names, and the tool in it; the tools for what is none. */
export function readBackofficePlace(tool: unknown): { part: BackofficePart; tool: StackedTool | null } {
  const part = backofficeParts.find((known) => known.part === tool)?.part
  const stacked = stackedTools.find((known) => known.tool === tool)?.tool
  return { part: part ?? 'tools', tool: stacked ?? null }
}

/** Who enters the back office: staff for whom its flag is on (3-decisions 3). The server holds the same at each of its calls. */
export function mayEnterBackoffice(role: Role, features: readonly FeatureKey[]): boolean {
  return role !== 'customer' && features.includes('BACKOFFICE')
}
