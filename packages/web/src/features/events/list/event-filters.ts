import type { User, UserFilters } from '@benchwatch/contract/users'
import {
  type AlertStatus,
  type AlertType,
  alertStatusLabels,
  alertTypeLabels,
  type EventFilterCategory,
  eventFilterCategories,
  type InstrumentType,
  instrumentTypeLabels,
  type QuickFilter,
  type Severity,
  SYSTEM_OWNER,
  SYSTEM_OWNER_LABEL,
  severityNames,
} from '@benchwatch/contract/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { type OfferedCategory, offeredOptions } from '../../../lib/list/filter-options.ts'
import { type FilterChip, filterChip } from '../../../ui/list/filter-chips.tsx'
import { usersQuery } from '../../users/users.api.ts'
import { type EventFilterChoice, eventFilters } from '../events.search.ts'
import { useViewer } from '../use-viewer.ts'

/** How filter categories and their values read, in the panel and on chips. */

/** Those who can own events, and which of them looks. */
export interface FilterPeople {
  /** Undefined until they are read. */
  users: readonly Pick<User, 'id' | 'name'>[] | undefined
  viewerId: string
}

export const NO_OWNER = 'none'

/** The three counters, as document 1 section 9 has them. */
export const quickFilterLabels: Record<QuickFilter, string> = {
  noOwner: 'No owner 2 hrs +',
  noAction: 'No action 24 hrs +',
  fullSupport: '24 hour support',
}

const truthLabel: Record<string, string> = { true: 'Yes', false: 'No' }

/** What a person reads for a value; the value itself where it is a name already. */
export function filterValueLabel(category: EventFilterCategory, value: string, people: FilterPeople): string {
  switch (category) {
    case 'alertStatus':
      return alertStatusLabels[value as AlertStatus] ?? value
    case 'alertType':
      return alertTypeLabels[Number(value) as AlertType] ?? value
    case 'severity':
      return severityNames[value as Severity] ?? value
    case 'instrumentType':
      return instrumentTypeLabels[value as InstrumentType] ?? value
    case 'qualifiedSystem':
      return truthLabel[value] ?? value
    case 'owner':
      return ownerName(value, people)
    case 'reasonClosed':
    case 'componentName':
    case 'componentType':
    case 'instrumentStatus':
    case 'contractSLA':
    case 'enterpriseName':
    case 'siteRegion':
    case 'siteCountry':
    case 'siteCity':
      return value
  }
}

export function ownerName(value: string, { users, viewerId }: FilterPeople): string {
  if (value === NO_OWNER) return 'None'
  if (value === SYSTEM_OWNER) return SYSTEM_OWNER_LABEL
  if (value === viewerId) return 'Me'
  if (users === undefined) return '…'
  return users.find(({ id }) => id === value)?.name ?? 'Unknown user'
}

/** One chip per category that is filtered by. */
export function appliedFilters(filter: EventFilterChoice, people: FilterPeople): FilterChip<EventFilterCategory>[] {
  return eventFilterCategories.flatMap(({ key, label }) => {
    const labels = (filter[key] ?? []).map((value) => filterValueLabel(key, value, people))
    return labels.length === 0 ? [] : [filterChip(key, label, labels)]
  })
}

/** What the filter panel of events offers; no list needs it before somebody opens that. */

/** Categories that edge issues have no value in, so that no choice there finds one (3-decisions 4). */
export const lackedByEdgeIssues: readonly EventFilterCategory[] = [
  'componentName',
  'componentType',
  'instrumentType',
  'instrumentStatus',
  'contractSLA',
  'qualifiedSystem',
]

export const EDGE_ISSUE_HINT = 'Doesn’t find edge issues'

/** Every category with what can be chosen in it, and a hint where a choice there leaves edge issues out. */
export function offeredCategories(input: {
  filterData: UserFilters['eventFilter'] | undefined
  chosen: EventFilterChoice
  chosenBefore?: EventFilterChoice
  people: FilterPeople
}): (OfferedCategory<EventFilterCategory> & { hint?: string })[] {
  const { people, ...rest } = input
  const offered = offeredOptions(eventFilters, {
    ...rest,
    labelOf: (category, value) => filterValueLabel(category, value, people),
    sort: (category, values) => inOrder(category, values, people),
  })
  return offered.map((one) => ({ ...one, ...(lackedByEdgeIssues.includes(one.key) && { hint: EDGE_ISSUE_HINT }) }))
}

/** Owners: oneself, nobody and the system before everybody else by name. All others come sorted. */
function inOrder(category: EventFilterCategory, values: readonly string[], people: FilterPeople): readonly string[] {
  if (category !== 'owner') return values
  const first = [people.viewerId, NO_OWNER, SYSTEM_OWNER].filter((value) => values.includes(value))
  const byName = values
    .filter((value) => !first.includes(value))
    .sort((a, b) => ownerName(a, people).localeCompare(ownerName(b, people), 'en'))
  return [...first, ...byName]
}

/** Whose names the owner filter shows. */
export function useFilterPeople(): FilterPeople {
  const { id } = useViewer()
  const users = useQuery(usersQuery())
  // Names that can't be had must not keep a chip waiting for ever.
  return { users: users.data ?? (users.isError ? [] : undefined), viewerId: id }
}
