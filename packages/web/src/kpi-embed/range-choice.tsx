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

/** The days that figures are of: the last ones, or any from–to. */
export function RangeChoice({ range, onChange }: { range: Range; onChange: (range: Range) => void }) {
  const isOwn = 'from' in range
  const [isOpen, setOpen] = useState(isOwn)
  const name = useId()
  const isTyped = isOwn || isOpen
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
                setOpen(false)
                onChange({ days: span })
              }}
            />
            <span>{spanLabels[span]}</span>
          </label>
        ))}
        <label>
          <input type="radio" name={name} checked={isTyped} onChange={() => setOpen(true)} />
          <span>From – to</span>
        </label>
      </fieldset>
      {isTyped && <OwnDays key={JSON.stringify(range)} days={daysOf(range, new Date())} onApply={onChange} />}
    </div>
  )
}

function OwnDays({ days, onApply }: { days: KpiDays; onApply: (days: KpiDays) => void }) {
  const [typed, setTyped] = useState(days)
  const [problem, setProblem] = useState<string | null>(null)
  const problemId = useId()

  function handleSubmit(event: SubmitEvent) {
    event.preventDefault()
    const found = daysProblem(typed)
    setProblem(found)
    if (found === null) onApply(typed)
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
            onChange={({ currentTarget }) => setTyped({ ...typed, [end]: currentTarget.value })}
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
