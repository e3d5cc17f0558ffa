import styles from './filter-chips.module.css'

export interface FilterChip<Key extends string> {
  key: Key
  label: string
  /** The first values and the number of others: 'Sweden, Norway +3'. */
  text: string
  /** All values. */
  full: string
}

/** More values would push the other chips away. */
const SHOWN_ON_CHIP = 2

/** Returns the chip of a category with the labels of its chosen values. */
export function filterChip<Key extends string>(key: Key, label: string, values: readonly string[]): FilterChip<Key> {
  const more = values.length - SHOWN_ON_CHIP
  const text = values.slice(0, SHOWN_ON_CHIP).join(', ') + (more > 0 ? ` +${more}` : '')
  return { key, label, text, full: values.join(', ') }
}

/** Shows one removable chip per active category, and a button that removes all. */
export function FilterChips<Key extends string>(props: {
  chips: readonly FilterChip<Key>[]
  onRemove: (key: Key) => void
  onClear: () => void
}) {
  if (props.chips.length === 0) return <p className={styles.none}>No filters selected.</p>
  return (
    <ul className={styles.chips} aria-label="Applied filters">
      {props.chips.map(({ key, label, text, full }) => (
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
