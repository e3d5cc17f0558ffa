import { type KeyboardEvent, useState } from 'react'
import { StatusFill } from '../connections/status-fill.tsx'
import styles from './around-event.module.css'
import type { StatusStretch } from './event-axis.ts'

/** Statuses one after the other; one stop of the Tab key, within it the arrow keys lead from one to the next. */
export function StatusBand(props: {
  stretches: readonly StatusStretch[]
  words: (stretch: StatusStretch) => string
  onPoint: (words: string) => void
  onLeave: () => void
}) {
  const { stretches, words, onPoint, onLeave } = props
  const [reached, setReached] = useState(0)
  const reachable = Math.min(reached, stretches.length - 1)

  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const target = nextStretch(event.key, { from: reachable, count: stretches.length })
    const button = target === null ? undefined : event.currentTarget.parentElement?.children[target]
    if (target === null || !(button instanceof HTMLElement)) return
    event.preventDefault()
    setReached(target)
    button.focus()
  }

  return (
    <div className={styles.band} role="toolbar" aria-label="Status">
      {stretches.map((stretch, index) => (
        <button
          key={stretch.from}
          type="button"
          className={styles.stretch}
          style={{ left: `${stretch.left}%`, width: `${stretch.width}%` }}
          aria-label={words(stretch)}
          tabIndex={index === reachable ? 0 : -1}
          onKeyDown={onKeyDown}
          onPointerEnter={() => onPoint(words(stretch))}
          onPointerLeave={onLeave}
          onFocus={() => {
            setReached(index)
            onPoint(words(stretch))
          }}
          onBlur={onLeave}
        >
          <StatusFill status={stretch.status} className={styles.fill} />
        </button>
      ))}
    </div>
  )
}

function nextStretch(key: string, { from, count }: { from: number; count: number }): number | null {
  switch (key) {
    case 'ArrowRight':
      return Math.min(from + 1, count - 1)
    case 'ArrowLeft':
      return Math.max(from - 1, 0)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
