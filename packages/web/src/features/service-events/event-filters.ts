import type { User } from '@benchwatch/contract/users'
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
import { type FilterChip, filterChip } from '../../ui/filter-chips.tsx'
import type { EventFilterChoice } from './service-events.search.ts'

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

const truthWords: Record<string, string> = { true: 'Yes', false: 'No' }

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
      return truthWords[value] ?? value
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
