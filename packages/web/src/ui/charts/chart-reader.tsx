import type { PointerEvent, ReactNode } from 'react'
import { Chevron } from '../text/chevron.tsx'
import styles from './chart-reader.module.css'

/**
 * Lets users read a chart value by value: with pointer or finger, or with the arrow keys, Home and End when it has the
 * focus. Uses an invisible native slider, so that assistive technology announces each value as text.
 */
export function ChartReader(props: {
  label: string
  /** Number of positions, all of equal width. */
  count: number
  /** Initial position for the keyboard. */
  start: number
  /** Current position; null for none. */
  at: number | null
  summary: string
  onRead: (at: number | null) => void
  children: ReactNode
}) {
  const { label, count, start, at, summary, onRead, children } = props

  function handlePointer({ currentTarget, clientX }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect()
    const place = Math.floor(((clientX - left) / width) * count)
    onRead(Math.min(count - 1, Math.max(0, place)))
  }

  return (
    <div
      className={styles.reader}
      onPointerMove={handlePointer}
      onPointerDown={handlePointer}
      onPointerLeave={() => onRead(null)}
    >
      {children}
      <input
        className={styles.slider}
        type="range"
        min={0}
        max={count - 1}
        value={at ?? start}
        aria-label={label}
        aria-valuetext={summary}
        onFocus={() => onRead(at ?? start)}
        onBlur={() => onRead(null)}
        onChange={({ currentTarget }) => onRead(Number(currentTarget.value))}
      />
    </div>
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
