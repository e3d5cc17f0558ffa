import type { Me } from '@benchwatch/contract/users/users'
import type { FeatureKey } from '@benchwatch/contract/vocabulary'
import type { LinkProps } from '@tanstack/react-router'
import { mayEnterBackoffice } from '../../features/backoffice/backoffice-parts.ts'
import { defaultEventSearch, openStatuses, writeEventSearch } from '../../features/events/events.search.ts'
import { folded } from '../../lib/folded.ts'

/** Rules of the command palette: the entries that it offers to a user, and those that a typed text finds. */

interface Entry {
  id: string
  label: string
  /** Says what Enter does. */
  does: string
  hint?: string | undefined
}

/** An entry that leads to a screen. */
export interface PaletteLink extends Entry {
  to: NonNullable<LinkProps['to']>
  params?: Record<string, string>
  search?: Record<string, string>
}

/** An entry that does something at once. */
export interface PaletteAction extends Entry {
  run: () => void
}

export type PaletteEntry = PaletteLink | PaletteAction

/** The user, as far as screens depend on rights. */
export interface PaletteUser {
  me: Pick<Me, 'id' | 'role'> | undefined
  features: readonly FeatureKey[]
  hasDashboards: boolean
}

/** Customers that a text finds at most. */
const MOST_CUSTOMERS = 5

/** Returns the screens that the user may open, and lists of events that are asked for often. */
export function paletteScreens({ me, features, hasDashboards }: PaletteUser): PaletteLink[] {
  const screen = (to: PaletteLink['to'], label: string): PaletteLink => ({ id: to, label, to, does: 'Open screen' })
  const events = (label: string, owner: string): PaletteLink => ({
    id: label,
    label,
    to: '/events',
    does: 'Show events',
    search: eventsOf({ alertStatus: [...openStatuses], owner: [owner] }),
  })
  return [
    screen('/events', 'Service events'),
    ...(me === undefined ? [] : [events('My open events', me.id)]),
    events('Open events without an owner', 'none'),
    screen('/instruments', 'Instruments'),
    screen('/maintenance', 'Planned maintenance'),
    screen('/notifications', 'Notifications'),
    screen('/settings', 'Settings'),
    screen('/help', 'Help'),
    ...(hasDashboards ? [screen('/kpi', 'KPI')] : []),
    ...(me?.role === 'admin' ? [screen('/administration', 'Administration')] : []),
    ...(me !== undefined && mayEnterBackoffice(me.role, features) ? [screen('/backoffice', 'Back office')] : []),
  ]
}

/** Returns the customers whose names contain the text, each with its events. */
export function paletteCustomers(names: readonly string[], text: string): PaletteLink[] {
  const term = folded(text.trim())
  if (term === '') return []
  return names
    .filter((name) => folded(name).includes(term))
    .slice(0, MOST_CUSTOMERS)
    .map((name) => ({
      id: `customer ${name}`,
      label: name,
      hint: 'Customer',
      does: 'Show events',
      to: '/events',
      search: eventsOf({ enterpriseName: [name] }),
    }))
}

export function matching<E extends PaletteEntry>(entries: readonly E[], text: string): E[] {
  const term = folded(text.trim())
  return entries.filter(({ label }) => folded(label).includes(term))
}

/** Returns the digits of an event number, typed with or without ORC-; null for any other text. */
export function eventNumber(text: string): string | null {
  return /^(?:ORC-?)?(\d{1,15})$/i.exec(text.trim())?.[1] ?? null
}

function eventsOf(filter: Parameters<typeof writeEventSearch>[0]['filter']): Record<string, string> {
  return writeEventSearch({ ...defaultEventSearch, filter, temporaryFilters: true })
}
