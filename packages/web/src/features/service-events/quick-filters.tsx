import type { EventTotals } from '@benchwatch/contract/service-events'
import type { QuickFilter } from '@benchwatch/contract/vocabulary'
import { quickFilterLabels } from './event-filters.ts'
import styles from './quick-filters.module.css'

interface QuickCard {
  quick: QuickFilter
  /** What is counted, in a sentence, for who wonders about the label. */
  meaning: string
  count: (total: EventTotals) => number
}

/** The three counters with the meanings of 3-decisions 4. */
const cards: readonly QuickCard[] = [
  {
    quick: 'noOwner',
    meaning: 'New events without an owner, created at least 2 hours ago',
    count: (total) => total.noOwnerEvents,
  },
  {
    quick: 'noAction',
    meaning: 'Events in progress, unchanged for at least 24 hours',
    count: (total) => total.noActionEvents,
  },
  {
    quick: 'fullSupport',
    meaning: 'Events not closed under a 24-hour contract',
    count: (total) => total.fullSupportEvents,
  },
]

/** Three counters that are switches: pressing one shows just those events, pressing it again shows all. */
export function QuickFilters(props: {
  total: EventTotals | undefined
  active: QuickFilter | null
  onChange: (quick: QuickFilter | null) => void
}) {
  return (
    <fieldset className={styles.cards}>
      <legend className={styles.legend}>Quick filters</legend>
      {cards.map(({ quick, meaning, count }) => {
        const isActive = props.active === quick
        const label = quickFilterLabels[quick]
        return (
          <button
            key={quick}
            type="button"
            className={styles.card}
            aria-pressed={isActive}
            title={`${label}\n${meaning}`}
            onClick={() => props.onChange(isActive ? null : quick)}
          >
            <strong>{props.total ? count(props.total).toLocaleString('en') : '–'}</strong>
            <span>{label}</span>
          </button>
        )
      })}
    </fieldset>
  )
}

/** Idle events: without an owner or without action, labelled 'New and In progress'. */
export function IdleCount({ total }: { total: EventTotals | undefined }) {
  const idle = total === undefined ? '–' : (total.noOwnerEvents + total.noActionEvents).toLocaleString('en')
  return (
    <span
      className={styles.idle}
      title={'New and In progress\nNew without an owner for 2 hours, or In progress without action for 24 hours'}
    >
      <strong>{idle}</strong> idle · New and In progress
    </span>
  )
}
