import type { NotificationCategory } from '@benchwatch/contract/vocabulary'
import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { midSentence } from '../../lib/folded.ts'
import type { FilterOption, OfferedCategory } from '../../lib/list/filter-options.ts'
import { MultiSelectList } from '../../ui/form/multi-select-list.tsx'
import { Dropdown } from '../../ui/overlay/dropdown.tsx'
import { Chevron } from '../../ui/text/chevron.tsx'
import { FilterDataNotice } from '../../ui/text/notice.tsx'
import { EDGE_ISSUE_HINT } from '../events/list/event-filters.ts'
import { leavesOutEdgeIssues } from './notification-filters.ts'
import styles from './profile-filters.module.css'

/** Further chips are hidden until the user expands the row. */
const SHOWN_CHIPS = 8

type Category = OfferedCategory<NotificationCategory>

/** One filter category with its selected values and a dropdown to choose from. */
export function FilterRow(props: {
  category: Category
  chosen: readonly string[]
  /** The state of the query for the values, which may be loading or have failed. */
  data: { data: unknown; isFetching: boolean; refetch: () => unknown }
  onChange: (values: string[]) => void
}) {
  const { category, chosen, onChange } = props
  const [isUnfolded, setUnfolded] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  const shown = isUnfolded ? chosen : chosen.slice(0, SHOWN_CHIPS)
  const folded = chosen.length - shown.length

  function handleRemove(value: string) {
    onChange(chosen.filter((other) => other !== value))
    // The pressed button disappears with its value. Move the focus to the dropdown of the same row for keyboard users.
    row.current?.querySelector<HTMLElement>('[aria-haspopup]')?.focus()
  }

  return (
    <li ref={row} className={styles.row} data-any={chosen.length === 0 || undefined}>
      <span className={styles.name}>{category.label}</span>
      <div className={styles.chosen}>
        {chosen.length === 0 && <span className={styles.any}>Any</span>}
        {shown.map((value) => (
          <Chip
            key={value}
            category={category.label}
            option={optionOf(category, value)}
            onRemove={() => handleRemove(value)}
          />
        ))}
        {folded > 0 && (
          <button type="button" className={styles.more} onClick={() => setUnfolded(true)}>
            {folded} more
          </button>
        )}
      </div>
      <Dropdown
        title={category.label}
        label={`Choose ${midSentence(category.label)}`}
        align="end"
        className={styles.choose}
        mark={<Chevron to="down" />}
        panel={(close) => (
          <div className={styles.panel}>
            <p className={styles.panelName}>
              {category.label}
              {leavesOutEdgeIssues(category.key) && <span className={styles.panelHint}>{EDGE_ISSUE_HINT}</span>}
            </p>
            {props.data.data === undefined && (
              <FilterDataNotice isLoading={props.data.isFetching} onRetry={() => void props.data.refetch()} />
            )}
            <MultiSelectList label={category.label} options={category.options} chosen={chosen} onChange={onChange} />
            <div className={styles.panelEnd}>
              <Button variant="default" disabled={chosen.length === 0} onClick={() => onChange([])}>
                Clear
              </Button>
              <Button onClick={close}>Done</Button>
            </div>
          </div>
        )}
      >
        Choose
      </Dropdown>
    </li>
  )
}

function optionOf({ options }: Category, value: string): FilterOption {
  return options.find((option) => option.value === value) ?? { value, label: value }
}

function Chip({ category, option, onRemove }: { category: string; option: FilterOption; onRemove: () => void }) {
  const { label, note } = option
  return (
    <span className={styles.chip} data-gone={note !== undefined || undefined} title={note && `${label} ${note}`}>
      <bdi className={styles.text}>{label}</bdi>
      {note !== undefined && <span className={styles.note}>{note}</span>}
      <button type="button" aria-label={`Remove ${label} from ${midSentence(category)}`} onClick={onRemove}>
        <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
          <path d="M4 4l8 8M12 4l-8 8" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
        </svg>
      </button>
    </span>
  )
}
