import type { UserFilters } from '@benchwatch/contract/users'
import { type EventFilterCategory, SYSTEM_OWNER } from '@benchwatch/contract/vocabulary'
import { type OfferedCategory, offeredOptions } from '../../lib/filter-options.ts'
import { type FilterPeople, filterValueLabel, NO_OWNER, ownerName } from './event-filters.ts'
import { type EventFilterChoice, eventFilters } from './service-events.search.ts'

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
