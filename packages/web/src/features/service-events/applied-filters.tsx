import type { EventFilterCategory } from '@benchwatch/contract/vocabulary'
import styles from './applied-filters.module.css'
import { appliedFilters } from './event-filters.ts'
import type { EventFilterChoice } from './service-events.search.ts'
import { useFilterPeople } from './use-filter-people.ts'

/** One chip per category that narrows the list, each with its own way out, and one for all. */
export function AppliedFilters(props: {
  filter: EventFilterChoice
  onRemove: (category: EventFilterCategory) => void
  onClear: () => void
}) {
  const applied = appliedFilters(props.filter, useFilterPeople())
  if (applied.length === 0) return <p className={styles.none}>No filters selected.</p>
  return (
    <ul className={styles.chips} aria-label="Applied filters">
      {applied.map(({ key, label, text, full }) => (
        <li key={key} className={styles.chip} title={`${label}: ${full}`}>
          <span className={styles.name}>{label}</span> <bdi className={styles.text}>{text}</bdi>
          <button type="button" aria-label={`Remove filter ${label}`} onClick={() => props.onRemove(key)}>
            <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
              <path d="M4 4l8 8M12 4l-8 8" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
            </svg>
          </button>
        </li>
      ))}
      <li>
        <button type="button" className={styles.clear} onClick={props.onClear}>
          Clear all
        </button>
      </li>
    </ul>
  )
}
