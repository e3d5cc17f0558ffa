import { Box, Text } from '@mantine/core'
import { type PointerEvent, type ReactNode, useState } from 'react'
import { Chevron } from '../text/chevron.tsx'
import styles from './chart-reader.module.css'

/**
 * Lets users read a chart value by value: with pointer or finger, or with the arrow keys, Home and End when it has the
 * focus. Uses an invisible native slider, so that assistive technology announces each value as text. A press or Enter
 * opens the value where the chart has `onPress`.
 */
export function ChartReader(props: {
  label: string
  /** Number of positions, all of equal width. */
  count: number
  /** Initial position for the keyboard, and position that is read out by default. */
  start: number
  read: (at: number) => string
  onPress?: ((at: number) => void) | undefined
  /** Distances of the positions from the edges of the chart. */
  plot: { top: number; right: number; bottom: number; left: number }
  legend?: ReactNode
  children: ReactNode
}) {
  const { label, count, start, plot, onPress } = props
  const [chosen, setChosen] = useState<number | null>(null)
  // Another period may have fewer positions.
  const isChosen = chosen !== null && chosen < count
  const at = isChosen ? chosen : start
  const summary = props.read(at)

  function positionOf({ currentTarget, clientX }: PointerEvent): number {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(count - 1, Math.max(0, Math.floor(((clientX - left) / width) * count)))
  }

  function handlePointer(event: PointerEvent) {
    setChosen(positionOf(event))
  }

  return (
    <>
      <Box pos="relative">
        {props.children}
        <div
          className={styles.reader}
          style={{ ...plot, cursor: onPress && 'pointer' }}
          onPointerMove={handlePointer}
          onPointerDown={handlePointer}
          onPointerUp={(event) => event.button === 0 && onPress?.(positionOf(event))}
          onPointerLeave={() => setChosen(null)}
        >
          {isChosen && (
            <div className={styles.cursor} style={{ left: `${(100 * at) / count}%`, width: `${100 / count}%` }} />
          )}
          <input
            className={styles.slider}
            type="range"
            min={0}
            max={count - 1}
            value={at}
            aria-label={label}
            aria-valuetext={summary}
            onFocus={() => setChosen(at)}
            onBlur={() => setChosen(null)}
            onKeyDown={({ key }) => key === 'Enter' && onPress?.(at)}
            onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
          />
        </div>
      </Box>
      <Box pl={plot.left}>
        <Text className={styles.reading} size="xs" mt={4} aria-hidden="true">
          {summary}
        </Text>
        {props.legend}
      </Box>
    </>
  )
}

/** Text version of a picture for users who cannot see it, collapsed by default. */
export function AsList({ onToggle, children }: { onToggle?: (isOpen: boolean) => void; children: ReactNode }) {
  return (
    <details className={styles.list} onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}>
      <summary>
        <Chevron to="right" /> Show as list
      </summary>
      {children}
    </details>
  )
}
