import type { Maintenance } from '@benchwatch/contract/maintenance'
import { IconPlus } from '@tabler/icons-react'
import { maintenanceSpan, maintenanceState, maintenanceStateLabels } from './current-maintenance.ts'
import styles from './maintenance-list.module.css'
import { MaintenanceMark } from './maintenance-mark.tsx'
import { recurrenceWords } from './maintenance-words.ts'

/** What is on or to come, by start, each to be changed or ended; `editedId` is what the form below is about. */
export function MaintenanceList(props: {
  there: readonly Maintenance[]
  editedId: string | null
  now: number
  isBusy: boolean
  onChange: (one: Maintenance) => void
  onAdd: () => void
  onEnd: (one: Maintenance) => void
}) {
  const { there, editedId, now, isBusy } = props
  return (
    <section aria-label="On or to come">
      <ul className={styles.list}>
        {there.map((one) => {
          const isEdited = one.id === editedId
          const recurrence = recurrenceWords(one)
          const name = `${maintenanceStateLabels[maintenanceState(one, now)]}: ${maintenanceSpan(one, now)}`
          return (
            <li key={one.id} className={styles.item} aria-current={isEdited || undefined}>
              <MaintenanceMark maintenances={[one]} now={now} />
              <div className={styles.words}>
                <span>{maintenanceSpan(one, now)}</span>
                {recurrence !== null && <span className={styles.quiet}>{recurrence}</span>}
                {one.reason !== null && (
                  <span className={styles.quiet} dir="auto">
                    {one.reason}
                  </span>
                )}
              </div>
              {!isEdited && (
                <button
                  type="button"
                  className={styles.act}
                  disabled={isBusy}
                  aria-label={`Change: ${name}`}
                  onClick={() => props.onChange(one)}
                >
                  Change
                </button>
              )}
              <button
                type="button"
                className={styles.act}
                disabled={isBusy}
                aria-label={`End: ${name}`}
                onClick={() => props.onEnd(one)}
              >
                End…
              </button>
            </li>
          )
        })}
        {editedId === null && (
          <li className={styles.item} aria-current>
            <span className={styles.words}>Another one</span>
          </li>
        )}
      </ul>
      {editedId !== null && (
        <button type="button" className={styles.act} disabled={isBusy} onClick={props.onAdd}>
          <IconPlus size={14} stroke={1.8} aria-hidden="true" />
          Add another
        </button>
      )}
    </section>
  )
}
