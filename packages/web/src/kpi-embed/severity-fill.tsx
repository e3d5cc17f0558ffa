import styles from './severity-fill.module.css'

/**
 * Fills that differ in more than colour: solid, striped, and pale with an outline. They stay distinct in greyscale and
 * on paper.
 */
export type Fill = 'high' | 'medium' | 'low' | 'accent' | 'rest' | 'missed' | 'running'

const pattern = (fill: Fill) => `kpi-fill-${fill}`

/** Defines the patterns once per page. */
export function FillPatterns() {
  return (
    <svg className={styles.patterns} width="0" height="0" aria-hidden="true">
      <defs>
        <pattern
          id={pattern('medium')}
          width="5"
          height="5"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect className={styles.medium} width="5" height="5" />
          <path className={styles.stripe} d="M0 0V5" />
        </pattern>
        <pattern
          id={pattern('missed')}
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect className={styles.high} width="6" height="6" />
          <path className={styles.stripe} d="M0 0V6" />
        </pattern>
      </defs>
    </svg>
  )
}

/** Returns the properties that fill a chart shape. */
export function filled(fill: Fill): { className: string | undefined; fill?: string } {
  if (fill === 'medium' || fill === 'missed') return { className: undefined, fill: `url(#${pattern(fill)})` }
  return { className: styles[fill] }
}

/** Explains the fills, in drawing order. */
export function Legend({ items }: { items: readonly { fill: Fill; name: string }[] }) {
  return (
    <ul className={styles.legend} aria-label="Legend">
      {items.map(({ fill, name }) => (
        <li key={name}>
          <svg width="13" height="13" aria-hidden="true">
            <rect x="0.5" y="0.5" width="12" height="12" rx="3" {...filled(fill)} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}

export const severityLegend = [
  { fill: 'high', name: 'High' },
  { fill: 'medium', name: 'Medium' },
  { fill: 'low', name: 'Low' },
] as const
