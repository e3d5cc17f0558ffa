import { Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import styles from './counter-tiles.module.css'

export interface CounterTile {
  label: string
  /** Explains what is counted. */
  meaning: string
  /** Undefined until known. */
  count: number | undefined
  /** True while the list shows exactly these. */
  isPressed: boolean
  onPress: () => void
}

/** Counters that are switches: pressing one shows only what it counts, pressing it again shows all. */
export function CounterTiles({ legend, tiles }: { legend: string; tiles: readonly CounterTile[] }) {
  return (
    <fieldset className={styles.counters}>
      <VisuallyHidden component="legend">{legend}</VisuallyHidden>
      {tiles.map(({ label, meaning, count, isPressed, onPress }) => (
        <UnstyledButton
          key={label}
          className={styles.counter}
          aria-pressed={isPressed}
          title={`${label}\n${meaning}`}
          onClick={onPress}
        >
          <Text component="strong" size="lg" lh={1.25} fw={700} c={isPressed ? undefined : 'var(--bw-ink-1)'}>
            {count === undefined ? '–' : count.toLocaleString('en')}
          </Text>
          <span>{label}</span>
        </UnstyledButton>
      ))}
    </fieldset>
  )
}
