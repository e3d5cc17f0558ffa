import styles from './bar-rows.module.css'
import { type Fill, filled } from './severity-fill.tsx'

export interface BarRow {
  key: string
  name: string
  /** A second line below the name. */
  note?: string
  /** Parts of its bar from left to right; values of 0 are not drawn. */
  parts: readonly { fill: Fill; value: number }[]
  /** Behind the bar: what its length says. */
  value: string
  /** Below the value. */
  aside?: string | undefined
  /** The whole of it in words, told by the pointer resting on the row. */
  words: string
}

/** Horizontal bars with a name before and a value behind each. `most` is what a whole bar stands for. */
export function BarRows(props: { label: string; rows: readonly BarRow[]; most: number }) {
  const { rows, most } = props
  return (
    <ol className={styles.rows} aria-label={props.label}>
      {rows.map(({ key, name, note, parts, value, aside, words }) => (
        <li key={key} title={words}>
          <span className={styles.name}>
            <bdi>{name}</bdi>
            {note !== undefined && (
              <span className={styles.note}>
                <bdi>{note}</bdi>
              </span>
            )}
          </span>
          <Bar parts={parts} most={most} />
          <span className={styles.value}>
            {value}
            {aside !== undefined && <span className={styles.note}>{aside}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}

const BAR_HEIGHT = 14

function Bar({ parts, most }: { parts: BarRow['parts']; most: number }) {
  return (
    <svg className={styles.bar} height={BAR_HEIGHT} aria-hidden="true">
      <rect className={styles.ground} width="100%" height={BAR_HEIGHT} rx="3" />
      {placesOf(parts, most).map(({ fill, left, width }) => (
        <rect
          key={fill}
          y="0.5"
          height={BAR_HEIGHT - 1}
          rx="2.5"
          // A part is seen, however small it is.
          style={{ x: `${left}%`, width: `max(3px, ${width}%)` }}
          {...filled(fill)}
        />
      ))}
    </svg>
  )
}

/** Where each part begins and how wide it is, in percent of the whole bar. */
function placesOf(parts: BarRow['parts'], most: number): { fill: Fill; left: number; width: number }[] {
  const percentOf = (value: number) => (most === 0 ? 0 : (value / most) * 100)
  return parts.flatMap(({ fill, value }, index) => {
    if (value === 0) return []
    const before = parts.slice(0, index).reduce((sum, part) => sum + part.value, 0)
    return [{ fill, left: percentOf(before), width: percentOf(value) }]
  })
}
