import type { NotificationCategory } from '@benchwatch/contract/notification-vocabulary'
import type { NotificationSettings } from '@benchwatch/contract/profiles'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { filtersQuery } from '../users/users.api.ts'
import { FilterRow } from './filter-row.tsx'
import { edgeIssueStoppers, offeredFilters } from './notification-filters.ts'
import { hasFilters, inSavedOrder, withoutFilters } from './notification-form.ts'
import styles from './profile-filters.module.css'

/**
 * The eleven categories with what is chosen in each. They can't be edited while saving, nor while the profile tells
 * nothing: then `hindrance` says what to do (document 2 section 2, "Behaviour").
 */
export function ProfileFilters(props: {
  /** Of the profile. */
  title: string
  settings: NotificationSettings
  saved: NotificationSettings
  hindrance: string | null
  isSaving: boolean
  onChange: (edits: Partial<NotificationSettings>) => void
}) {
  const { settings, saved, hindrance, onChange } = props
  const filterData = useQuery(filtersQuery())
  const hintId = useId()
  const categories = offeredFilters({ filterData: filterData.data?.eventFilter, chosen: settings, saved })
  const stoppers = edgeIssueStoppers(settings)
  const isAny = hasFilters(settings)

  function handleChoice(category: NotificationCategory, values: string[]) {
    onChange({ [category]: inSavedOrder(values, saved[category]) })
  }

  return (
    <fieldset
      className={styles.filters}
      disabled={hindrance !== null || props.isSaving}
      data-off={hindrance !== null || undefined}
      data-none={!isAny || undefined}
      aria-describedby={hintId}
    >
      <legend className={styles.legend}>Filters of {props.title}</legend>
      <div className={styles.head}>
        <h3 aria-hidden="true">Filters</h3>
        <p id={hintId} className={styles.hint}>
          {isAny ? 'Any of the values within a category, and all categories together.' : 'No filters selected.'}{' '}
          {hindrance}
        </p>
        {isAny && hindrance === null && (
          <button type="button" className={styles.clear} onClick={() => onChange(withoutFilters(settings))}>
            Clear all
          </button>
        )}
      </div>
      <ul className={styles.rows}>
        {categories.map((category) => (
          <FilterRow
            key={category.key}
            category={category}
            chosen={settings[category.key]}
            data={filterData}
            onChange={(values) => handleChoice(category.key, values)}
          />
        ))}
      </ul>
      {stoppers.length > 0 && (
        <p className={styles.edge}>
          Edge issues have no {stoppers.join(', ').toLowerCase()}: with these filters you are not told of them.
        </p>
      )}
    </fieldset>
  )
}
