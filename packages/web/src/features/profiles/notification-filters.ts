import type { NotificationSettings } from '@benchwatch/contract/messages/profiles'
import type { UserFilters } from '@benchwatch/contract/users/users'
import {
  alertTypes,
  type EventFilterCategory,
  instrumentStatuses,
  type NotificationCategory,
  notificationCategories,
  severities,
} from '@benchwatch/contract/vocabulary'
import { type KnownTypes, withTypes } from '../../lib/instrument-type.ts'
import type { FilterVocabulary } from '../../lib/list/filter-choice.ts'
import { type OfferedCategory, offeredOptions } from '../../lib/list/filter-options.ts'
import { filterValueLabel, lackedByEdgeIssues } from '../events/list/event-filters.ts'

/** The key of each category in the filter data of events. */
const eventCategories: Record<NotificationCategory, EventFilterCategory> = {
  alertType: 'alertType',
  severity: 'severity',
  customer: 'enterpriseName',
  instrumentType: 'instrumentType',
  region: 'siteRegion',
  country: 'siteCountry',
  siteCity: 'siteCity',
  componentName: 'componentName',
  instrumentStatus: 'instrumentStatus',
  contractSLA: 'contractSLA',
  qualifiedSystem: 'qualifiedSystem',
}

const vocabulary: FilterVocabulary<NotificationCategory> = {
  categories: notificationCategories,
  closed: {
    alertType: alertTypes.map(String),
    severity: severities,
    instrumentStatus: instrumentStatuses,
    qualifiedSystem: ['true', 'false'],
  },
}

/**
 * Returns the eleven categories in order. `saved` values stay in the list after they were removed, so that a mistake
 * can be undone. Without `filterData`, categories with fixed values are still complete.
 */
export function offeredFilters(input: {
  filterData: UserFilters['eventFilter'] | undefined
  chosen: NotificationSettings
  saved: NotificationSettings
  types: KnownTypes
}): OfferedCategory<NotificationCategory>[] {
  const { filterData, chosen, saved, types } = input
  return offeredOptions(withTypes(vocabulary, types), {
    filterData: filterData?.flatMap(({ key, values }) => {
      const category = notificationCategories.find((one) => eventCategories[one.key] === key)
      return category === undefined ? [] : [{ key: category.key, values }]
    }),
    chosen,
    chosenBefore: saved,
    labelOf: (category, value) => valueLabel(category, value, types),
  })
}

export function valueLabel(category: NotificationCategory, value: string, types: KnownTypes): string {
  // No category has users as values, so no names are needed.
  return filterValueLabel(eventCategories[category], value, { users: undefined, viewerId: '', types })
}

/** True if edge issues lack this property, so that any filter on it excludes them (3-decisions 4). */
export function leavesOutEdgeIssues(category: NotificationCategory): boolean {
  return lackedByEdgeIssues.has(eventCategories[category])
}

/** Returns the names of the selected categories that exclude edge issues; empty if none does. */
export function edgeIssueStoppers(chosen: NotificationSettings): string[] {
  return notificationCategories
    .filter(({ key }) => chosen[key].length > 0 && leavesOutEdgeIssues(key))
    .map(({ label }) => label)
}
