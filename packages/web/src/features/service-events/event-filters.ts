import type { User, UserFilters } from '@benchwatch/contract/users'
import {
  type AlertStatus,
  type AlertType,
  alertStatuses,
  alertStatusLabels,
  alertTypeLabels,
  alertTypes,
  closeReasons,
  type EventFilterCategory,
  eventFilterCategories,
  type InstrumentType,
  instrumentStatuses,
  instrumentTypeLabels,
  instrumentTypes,
  SYSTEM_OWNER,
  SYSTEM_OWNER_LABEL,
  severities,
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

const NO_OWNER = 'none'

const severityWords: Record<string, string> = { high: 'High', medium: 'Medium', low: 'Low' }
const truthWords: Record<string, string> = { true: 'Yes', false: 'No' }

/** What a person reads for a value; the value itself where it is a name already. */
export function filterValueLabel(category: EventFilterCategory, value: string, people: FilterPeople): string {
  switch (category) {
    case 'alertStatus':
      return alertStatusLabels[value as AlertStatus] ?? value
    case 'alertType':
      return alertTypeLabels[Number(value) as AlertType] ?? value
    case 'severity':
      return severityWords[value] ?? value
    case 'instrumentType':
      return instrumentTypeLabels[value as InstrumentType] ?? value
    case 'qualifiedSystem':
      return truthWords[value] ?? value
    case 'owner':
      return ownerName(value, people)
    default:
      return value
  }
}

function ownerName(value: string, { users, viewerId }: FilterPeople): string {
  if (value === NO_OWNER) return 'None'
  if (value === SYSTEM_OWNER) return SYSTEM_OWNER_LABEL
  if (value === viewerId) return 'Me'
  if (users === undefined) return '…'
  return users.find(({ id }) => id === value)?.name ?? 'Unknown user'
}

/** Lists that are the same for everybody, so that they can be chosen from before the filter data are here, and without. */
const closedValues: Partial<Record<EventFilterCategory, readonly string[]>> = {
  alertStatus: alertStatuses,
  alertType: alertTypes.map(String),
  severity: severities,
  reasonClosed: closeReasons,
  instrumentType: instrumentTypes,
  instrumentStatus: instrumentStatuses,
  qualifiedSystem: ['true', 'false'],
}

/** Categories that edge issues have no value in, so that no choice there finds one (3-decisions 4). */
const lackedByEdgeIssues: readonly EventFilterCategory[] = [
  'componentName',
  'componentType',
  'instrumentType',
  'instrumentStatus',
  'contractSLA',
  'qualifiedSystem',
]
export const EDGE_ISSUE_HINT = 'Doesn’t find edge issues'

export interface FilterOption {
  value: string
  label: string
  note?: string
}

export interface OfferedCategory {
  key: EventFilterCategory
  label: string
  options: FilterOption[]
  hint?: string
}

/**
 * Every category with what can be chosen in it: the values of the caller's filter data, and what is chosen although it is
 * not offered any more, so that it can be seen and taken away. Values match whatever their case, as they do at the server.
 */
export function offeredCategories(input: {
  filterData: UserFilters['eventFilter'] | undefined
  chosen: EventFilterChoice
  /** What was chosen before: it stays as well, so that a slip can be undone. */
  chosenBefore?: EventFilterChoice
  people: FilterPeople
}): OfferedCategory[] {
  const { filterData, chosen, chosenBefore = {}, people } = input
  return eventFilterCategories.map(({ key, label }) => {
    const known = filterData?.find((category) => category.key === key)?.values
    const values = known ?? closedValues[key] ?? []
    const ofChosen = [...new Set([...(chosen[key] ?? []), ...(chosenBefore[key] ?? [])])]
    const asChosen = values.map((value) => ofChosen.find((one) => isSame(one, value)) ?? value)
    const gone = ofChosen.filter((one) => !values.some((value) => isSame(one, value)))
    const options = [
      ...inOrder(key, asChosen, people).map((value) => ({ value, label: filterValueLabel(key, value, people) })),
      ...gone.map((value) => ({
        value,
        label: filterValueLabel(key, value, people),
        ...(known !== undefined && { note: '(not offered any more)' }),
      })),
    ]
    return { key, label, options, ...(lackedByEdgeIssues.includes(key) && { hint: EDGE_ISSUE_HINT }) }
  })
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
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

/** One chip per category that is filtered by. */
export function appliedFilters(filter: EventFilterChoice, people: FilterPeople): FilterChip<EventFilterCategory>[] {
  return eventFilterCategories.flatMap(({ key, label }) => {
    const labels = (filter[key] ?? []).map((value) => filterValueLabel(key, value, people))
    return labels.length === 0 ? [] : [filterChip(key, label, labels)]
  })
}
