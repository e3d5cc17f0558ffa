import type { FilterCounts } from '@benchwatch/contract/events/events'
import type { User, UserFilters } from '@benchwatch/contract/users/users'
import {
  type AlertStatus,
  type AlertType,
  alertStatusLabels,
  alertTypeLabels,
  type ContractClock,
  type EventFilterCategory,
  eventFilterCategories,
  excluding,
  type FilterKey,
  type QuickFilter,
  type Severity,
  SYSTEM_OWNER,
  SYSTEM_OWNER_LABEL,
  severityNames,
} from '@benchwatch/contract/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { type KnownTypes, typeLabel, useInstrumentTypes, withTypes } from '../../../lib/instrument-type.ts'
import { type FilterOption, type OfferedCategory, offeredOptions } from '../../../lib/list/filter-options.ts'
import { type FilterChip, filterChip } from '../../../ui/list/list-header.tsx'
import { usersQuery } from '../../users/users.api.ts'
import { type EventFilterChoice, eventFilters } from '../events.search.ts'
import { useViewer } from '../owner/use-viewer.ts'

/** Labels of filter categories and their values, for the panel and the chips. */

/** Names of the filter values that are keys. */
export interface FilterNames {
  /** Users who can own events; undefined until they are read. */
  users: readonly Pick<User, 'id' | 'name'>[] | undefined
  viewerId: string
  types: KnownTypes
}

export const NO_OWNER = 'none'

/** The three counters, named as in document 1 section 9. */
export const quickFilterLabels: Record<QuickFilter, string> = {
  noOwner: 'No owner 2 hrs +',
  noAction: 'No action 24 hrs +',
  fullSupport: '24 hour support',
}

const contractClockLabels: Record<ContractClock, string> = {
  over4h: '4 h left or more',
  under4h: 'Less than 4 h left',
  overdue: 'Overdue',
  stopped: 'Stopped',
}

const truthLabel: Record<string, string> = { true: 'Yes', false: 'No' }

/** Returns the label of a value; the value itself if it is already readable. */
export function filterValueLabel(category: EventFilterCategory, value: string, names: FilterNames): string {
  switch (category) {
    case 'alertStatus':
      return alertStatusLabels[value as AlertStatus] ?? value
    case 'alertType':
      return alertTypeLabels[Number(value) as AlertType] ?? value
    case 'severity':
      return severityNames[value as Severity] ?? value
    case 'instrumentType':
      return typeLabel(names.types, value)
    case 'qualifiedSystem':
      return truthLabel[value] ?? value
    case 'contractClock':
      return contractClockLabels[value as ContractClock] ?? value
    case 'owner':
      return ownerName(value, names)
    case 'reasonClosed':
    case 'componentName':
    case 'componentType':
    case 'instrumentStatus':
    case 'run':
    case 'contractSLA':
    case 'enterpriseName':
    case 'siteRegion':
    case 'siteCountry':
    case 'siteCity':
      return value
  }
}

export function ownerName(value: string, { users, viewerId }: Pick<FilterNames, 'users' | 'viewerId'>): string {
  if (value === NO_OWNER) return 'None'
  if (value === SYSTEM_OWNER) return SYSTEM_OWNER_LABEL
  if (value === viewerId) return 'Me'
  if (users === undefined) return '…'
  return users.find(({ id }) => id === value)?.name ?? 'Unknown user'
}

/** Returns one chip per category for the wanted values, and one for the excluded ones. */
export function appliedFilters(
  filter: EventFilterChoice,
  names: FilterNames,
): FilterChip<FilterKey<EventFilterCategory>>[] {
  return eventFilterCategories.flatMap(({ key: category, label }) =>
    [category, excluding(category)].flatMap((key) => {
      const labels = (filter[key] ?? []).map((value) => filterValueLabel(category, value, names))
      return labels.length === 0 ? [] : [filterChip(key, label, labels)]
    }),
  )
}

/** Categories in which edge issues have no value, so a choice there never finds one (3-decisions 4). */
export const lackedByEdgeIssues: ReadonlySet<EventFilterCategory> = new Set<EventFilterCategory>(
  eventFilterCategories.filter((category) => 'ofInstruments' in category).map(({ key }) => key),
)

export const EDGE_ISSUE_HINT = 'Not available for Edge Issue events'

/** Returns every category with its values, and a hint if a choice there excludes edge issues. */
export function offeredCategories(input: {
  filterData: UserFilters['eventFilter'] | undefined
  /** Undefined until they are read. */
  counts?: FilterCounts['values'] | undefined
  chosen: EventFilterChoice
  chosenBefore?: EventFilterChoice
  names: FilterNames
}): (OfferedCategory<EventFilterCategory> & { hint?: string })[] {
  const { names, counts, ...rest } = input
  const offered = offeredOptions(withTypes(eventFilters, names.types), {
    ...rest,
    labelOf: (category, value) => filterValueLabel(category, value, names),
    sort: (category, values) => inOrder(category, values, names),
  })
  return offered.map(({ options, ...one }) => ({
    ...one,
    options: counts ? withCounts(options, counts.find(({ key }) => key === one.key)?.counts ?? []) : options,
    ...(lackedByEdgeIssues.has(one.key) && { hint: EDGE_ISSUE_HINT }),
  }))
}

/** Gives each option the number of its events; the server names only values that have some. */
function withCounts(
  options: readonly FilterOption[],
  counts: FilterCounts['values'][number]['counts'],
): (FilterOption & { count: number })[] {
  const events = new Map(counts.map((count) => [count.value.toLowerCase(), count.events]))
  return options.map((option) => ({ ...option, count: events.get(option.value.toLowerCase()) ?? 0 }))
}

/**
 * Sorts owners: first the user, then 'None' and 'Automatic', then all others by name. Other categories arrive sorted.
 */
function inOrder(category: EventFilterCategory, values: readonly string[], names: FilterNames): readonly string[] {
  if (category !== 'owner') return values
  const first = [names.viewerId, NO_OWNER, SYSTEM_OWNER].filter((value) => values.includes(value))
  const byName = values
    .filter((value) => !first.includes(value))
    .sort((a, b) => ownerName(a, names).localeCompare(ownerName(b, names), 'en'))
  return [...first, ...byName]
}

/** Reads the names that filters show. */
export function useFilterNames(): FilterNames {
  const { id } = useViewer()
  const users = useQuery(usersQuery())
  // If names cannot be read, the chip must not wait for them forever.
  return { users: users.data ?? (users.isError ? [] : undefined), viewerId: id, types: useInstrumentTypes() }
}
