import type { NotificationSettings } from '@benchwatch/contract/profiles'
import type { UserFilters } from '@benchwatch/contract/users'
import {
  alertTypes,
  type EventFilterCategory,
  instrumentStatuses,
  instrumentTypes,
  type NotificationCategory,
  notificationCategories,
  severities,
} from '@benchwatch/contract/vocabulary'
import type { FilterVocabulary } from '../../lib/list/filter-choice.ts'
import { type OfferedCategory, offeredOptions } from '../../lib/list/filter-options.ts'
import { filterValueLabel, lackedByEdgeIssues } from '../events/list/event-filters.ts'

/** What can be chosen in the categories of a profile, and how it reads: as in the filter panel of events. */

/** Under which key the filter data of events hold a category's values. */
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
    instrumentType: instrumentTypes,
    instrumentStatus: instrumentStatuses,
    qualifiedSystem: ['true', 'false'],
  },
}

/**
 * The eleven categories in their order. `saved` values stay in sight after they were taken out, so that a slip can be
 * undone. `filterData` undefined: not read; the lists that are the same for everybody stand in.
 */
export function offeredFilters(input: {
  filterData: UserFilters['eventFilter'] | undefined
  chosen: NotificationSettings
  saved: NotificationSettings
}): OfferedCategory<NotificationCategory>[] {
  const { filterData, chosen, saved } = input
  return offeredOptions(vocabulary, {
    filterData: filterData?.flatMap(({ key, values }) => {
      const category = notificationCategories.find((one) => eventCategories[one.key] === key)
      return category === undefined ? [] : [{ key: category.key, values }]
    }),
    chosen,
    chosenBefore: saved,
    labelOf: valueLabel,
  })
}

export function valueLabel(category: NotificationCategory, value: string): string {
  // No category holds people, so nobody's name is asked for.
  return filterValueLabel(eventCategories[category], value, { users: undefined, viewerId: '' })
}

/** Whether edge issues lack it, so that a choice in it lets none of them through (3-decisions 4). */
export function leavesOutEdgeIssues(category: NotificationCategory): boolean {
  return lackedByEdgeIssues.includes(eventCategories[category])
}

/** Names of the categories that are chosen in and leave edge issues out; empty while edge issues are told, too. */
export function edgeIssueStoppers(chosen: NotificationSettings): string[] {
  return notificationCategories
    .filter(({ key }) => chosen[key].length > 0 && leavesOutEdgeIssues(key))
    .map(({ label }) => label)
}
