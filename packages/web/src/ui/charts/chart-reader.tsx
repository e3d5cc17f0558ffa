import type { PointerEvent, ReactNode } from 'react'
import { Chevron } from '../text/chevron.tsx'
import styles from './chart-reader.module.css'

/**
 * Lets a chart be read place by place: with the pointer or a finger over it, or with the arrow keys, Home and End once it has the
 * focus. The browser's own slider is what has it, unseen, so that every aid tells its value in words.
 */
export function ChartReader(props: {
  label: string
  /** How many places there are, beside each other and equally wide. */
  count: number
  /** The place with which the keyboard begins. */
  start: number
  /** The place that is read; null for none. */
  at: number | null
  words: string
  onRead: (at: number | null) => void
  children: ReactNode
}) {
  const { label, count, start, at, words, onRead, children } = props

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
        aria-valuetext={words}
        onFocus={() => onRead(at ?? start)}
        onBlur={() => onRead(null)}
        onChange={({ currentTarget }) => onRead(Number(currentTarget.value))}
      />
    </div>
  )
}

/** What a picture shows, in words, for whoever reads rather than looks: closed until it is asked for. */
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
