import { type SubmitEvent, useId, useState } from 'react'
import {
  daysOf,
  daysProblem,
  type KpiDays,
  type KpiQuestion,
  type KpiSpan,
  kpiSpans,
  utcDay,
} from '../features/kpi/kpi-question.ts'
import styles from './choices.module.css'

const spanLabels: Record<KpiSpan, string> = { 7: '7 days', 30: '30 days', 90: '90 days', 365: '1 year' }

type Range = KpiQuestion['range']

/** Chooses the days: a preset or a from–to range. Keeps the focus whatever is chosen. */
export function RangeChoice({ range, onChange }: { range: Range; onChange: (range: Range) => void }) {
  const rangeKey = JSON.stringify(range)
  // Stays open until the range changes, by any means.
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const name = useId()
  const isTyped = 'from' in range || openedAt === rangeKey
  return (
    <div className={styles.range}>
      <fieldset className={styles.spans}>
        <legend className={styles.hidden}>Days</legend>
        {kpiSpans.map((span) => (
          <label key={span}>
            <input
              type="radio"
              name={name}
              checked={!isTyped && range.days === span}
              onChange={() => {
                setOpenedAt(null)
                onChange({ days: span })
              }}
            />
            <span>{spanLabels[span]}</span>
          </label>
        ))}
        <label>
          <input type="radio" name={name} checked={isTyped} onChange={() => setOpenedAt(rangeKey)} />
          <span>From – to</span>
        </label>
      </fieldset>
      {isTyped && (
        <OwnDays
          days={daysOf(range, new Date())}
          onApply={(days) => {
            setOpenedAt(null)
            onChange(days)
          }}
        />
      )}
    </div>
  )
}

/** Typed dates have no effect until they are applied. */
function OwnDays({ days, onApply }: { days: KpiDays; onApply: (days: KpiDays) => void }) {
  const [edits, setEdits] = useState<Partial<KpiDays>>({})
  const [problem, setProblem] = useState<string | null>(null)
  const problemId = useId()
  const typed = { ...days, ...edits }

  function handleSubmit(event: SubmitEvent) {
    event.preventDefault()
    const found = daysProblem(typed)
    setProblem(found)
    if (found !== null) return
    setEdits({})
    onApply(typed)
  }

  return (
    <form className={styles.own} onSubmit={handleSubmit} noValidate>
      {(['from', 'to'] as const).map((end) => (
        <label key={end}>
          <span>{end === 'from' ? 'From' : 'To'}</span>
          <input
            type="date"
            value={typed[end]}
            max={utcDay(Date.now())}
            aria-invalid={problem !== null}
            aria-describedby={problem === null ? undefined : problemId}
            onChange={({ currentTarget }) => setEdits({ ...edits, [end]: currentTarget.value })}
          />
        </label>
      ))}
      <button type="submit" className={styles.primary}>
        Apply
      </button>
      {problem !== null && (
        <p id={problemId} className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}
