import type { NotificationSettings } from '@benchwatch/contract/messages/profiles'
import { type NotificationCategory, notificationCategories } from '@benchwatch/contract/vocabulary'

/**
 * THE rule that decides which events a notification profile accepts: OR within a category, AND across categories
 * (document 2 section 2). Sending, preview and explanation all use it, so they always agree. Case-insensitive
 * (3-decisions 4).
 *
 * An edge issue has no instrument, component, status or contract. A profile with a value in one of these categories
 * does not accept it, just as a filter of the event list would not match it (3-decisions 4).
 */

/** The values of an event that profiles check, as of when it was raised. Null if the event has no such value. */
export type EventFacts = Readonly<Record<NotificationCategory, string | null>>

/** The non-empty categories of a profile with folded values, prepared for the checks of many events. */
export type Criteria = readonly { category: NotificationCategory; wanted: ReadonlySet<string> }[]

export function criteriaOf(settings: NotificationSettings): Criteria {
  return notificationCategories.flatMap(({ key }) =>
    settings[key].length === 0 ? [] : [{ category: key, wanted: new Set(settings[key].map(sameCase)) }],
  )
}

/** Returns the first category, in the specified order, that does not accept the event; null if all do. */
export function stoppedBy(criteria: Criteria, facts: EventFacts): NotificationCategory | null {
  for (const { category, wanted } of criteria) {
    const found = facts[category]
    if (found === null || !wanted.has(sameCase(found))) return category
  }
  return null
}

/** Returns the result of each category, for explanations. */
export function checksOf(settings: NotificationSettings, facts: EventFacts) {
  const criteria = criteriaOf(settings)
  return notificationCategories.map(({ key: category }) => ({
    category,
    wanted: settings[category],
    found: facts[category],
    passes:
      stoppedBy(
        criteria.filter((one) => one.category === category),
        facts,
      ) === null,
  }))
}

function sameCase(text: string): string {
  return text.toLowerCase()
}
