import type { NotificationSettings } from '@benchwatch/contract/profiles'
import { type NotificationCategory, notificationCategories } from '@benchwatch/contract/vocabulary'

/**
 * THE rule of which events a notification profile lets through: OR within a category, AND across (document 2 section 2).
 * Sending, preview and explanation all ask here, so they can't disagree. Upper and lower case are the same (3-decisions 4).
 *
 * An edge issue has no instrument, component, status or contract: a profile that asks for one of them doesn't let it
 * through, as a filter of the list would not find it (3-decisions 4).
 */

/** What a profile looks at of an event, as it was raised. Null where the event has no such thing. */
export type EventFacts = Readonly<Record<NotificationCategory, string | null>>

/** A profile's categories, made ready to be asked about many events: those that ask for something, in folded words. */
export type Criteria = readonly { category: NotificationCategory; wanted: ReadonlySet<string> }[]

export function criteriaOf(settings: NotificationSettings): Criteria {
  return notificationCategories.flatMap(({ key }) =>
    settings[key].length === 0 ? [] : [{ category: key, wanted: new Set(settings[key].map(sameCase)) }],
  )
}

/** The first category, in the specified order, that doesn't let the event through; null when all of them do. */
export function stoppedBy(criteria: Criteria, facts: EventFacts): NotificationCategory | null {
  for (const { category, wanted } of criteria) {
    const found = facts[category]
    if (found === null || !wanted.has(sameCase(found))) return category
  }
  return null
}

/** What each category says, for people who want to know why. */
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
