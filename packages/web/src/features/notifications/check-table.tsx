import { useState } from 'react'
import styles from './check-table.module.css'
import type { Check } from './verdict.ts'

/** Lists every check in order: whether it passes, the profile's values and the event's value. */
export function CheckTable({ label, checks }: { label: string; checks: readonly Check[] }) {
  return (
    <div className={styles.room}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Check</th>
            <th scope="col">Profile selects</th>
            <th scope="col">Event has</th>
          </tr>
        </thead>
        <tbody>
          {checks.map((check) => (
            <tr key={check.gate} data-result={check.result} data-decisive={check.isDecisive || undefined}>
              <th scope="row">
                <Result check={check} />
              </th>
              {check.wanted === null ? (
                <td colSpan={2}>{check.found ?? <span className={styles.quiet}>Not checked</span>}</td>
              ) : (
                <>
                  <td>
                    <SelectedValues values={check.wanted} />
                  </td>
                  <td>
                    {check.found === null ? <span className={styles.quiet}>None</span> : <bdi>{check.found}</bdi>}
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const results = {
  passes: { label: 'Passes', shape: 'M2 6.4 4.8 9.2 10 3' },
  stops: { label: 'Does not pass', shape: 'M2.6 2.6l6.8 6.8M9.4 2.6 2.6 9.4' },
  // The next cell says 'Not checked'.
  'not-checked': { label: '', shape: 'M2.5 6h7' },
} as const

function Result({ check }: { check: Check }) {
  const { label, shape } = results[check.result]
  return (
    <span className={styles.result}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path
          d={shape}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.8"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <span className={styles.label}>{check.label}</span>
      <span className={styles.word}>{check.isDecisive ? 'Decided' : label}</span>
    </span>
  )
}

/** Further values are hidden; a profile may hold hundreds. */
const FIRST = 3

function SelectedValues({ values }: { values: readonly string[] }) {
  const [showsAll, setShowsAll] = useState(false)
  if (values.length === 0) return <span className={styles.quiet}>Any</span>
  const isCut = values.length > FIRST + 1
  const shown = showsAll || !isCut ? values : values.slice(0, FIRST)
  return (
    <>
      {shown.map((value, index) => (
        <span key={value}>
          {index > 0 && ', '}
          <bdi>{value}</bdi>
        </span>
      ))}
      {isCut && (
        <>
          {' '}
          <button
            type="button"
            className={styles.more}
            aria-expanded={showsAll}
            onClick={() => setShowsAll((shown) => !shown)}
          >
            {showsAll ? 'less' : `and ${values.length - FIRST} more`}
          </button>
        </>
      )}
    </>
  )
}
