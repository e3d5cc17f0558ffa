import type { ExportDetails, ExportType } from '@benchwatch/contract/vocabulary'
import { Button, Group } from '@mantine/core'
import { useEffect, useEffectEvent, useRef } from 'react'
import { counted } from '../../lib/folded.ts'
import { ProgressBar } from '../../ui/text/skeleton.tsx'
import styles from './export-panel.module.css'
import type { ExportRequest } from './exports.api.ts'
import { type ExportRun, runExport, useExportRun } from './run-export.ts'

const choices: readonly { details: ExportDetails; title: string; hints: Record<ExportType, string> }[] = [
  {
    details: 'BASIC',
    title: 'Columns as on screen',
    hints: { event: 'The twelve columns of the list.', instrument: 'The ten columns of the list.' },
  },
  {
    details: 'FULL',
    title: 'Every field',
    hints: {
      event: 'All data of an event, including advice and contacts.',
      instrument: 'All data of an instrument, including contract, contacts and software.',
    },
  },
]

/** Lets the user choose the content of the file; then shows progress, or why there is no file. */
export function ExportPanel(props: { request: ExportRequest; count: number; onClose: () => void }) {
  const run = useExportRun()
  const before = useRef(run.kind)
  const close = useEffectEvent(props.onClose)
  useEffect(() => {
    if (before.current === 'running' && run.kind === 'none') close()
    before.current = run.kind
  }, [run.kind])
  if (run.kind === 'running') return <Progress run={run} onClose={props.onClose} />
  return <Choice {...props} run={run} />
}

function Choice({ request, count, run }: { request: ExportRequest; count: number; run: ExportRun }) {
  const { type } = request.body
  return (
    <div className={styles.panel}>
      <h2 className={styles.title}>{count === 0 ? 'Nothing to export' : `Export ${counted(count, type)}`}</h2>
      {run.kind === 'failed' && (
        <div className={styles.failure} role="alert">
          <p>{run.reason}</p>
          <Button variant="default" size="compact-sm" onClick={run.retry}>
            Try again
          </Button>
        </div>
      )}
      <p className={styles.hint}>
        {count === 0
          ? `No ${type}s match. Change the search, filters or range.`
          : 'A CSV file for spreadsheets, in the order of the list.'}
      </p>
      <div className={styles.choices}>
        {choices.map(({ details, title, hints }) => (
          <button
            key={details}
            type="button"
            className={styles.choice}
            disabled={count === 0}
            onClick={() => void runExport({ request, details, count })}
          >
            <strong>{title}</strong>
            <span>{hints[type]}</span>
          </button>
        ))}
      </div>
    </div>
  )
}

/** The pressed button is gone, and the focus with it. */
function focusFirst(button: HTMLButtonElement | null) {
  button?.focus()
}

function Progress({ run, onClose }: { run: ExportRun & { kind: 'running' }; onClose: () => void }) {
  const { type, written, rows } = run
  return (
    <div className={styles.panel}>
      <h2 className={styles.title}>Exporting {counted(rows, type)}</h2>
      <ProgressBar label="Export progress" value={written > 0 ? written : null} max={rows} />
      <p className={styles.hint} role="status">
        {run.isOutOfReach
          ? 'The server can’t be reached. Trying again…'
          : written === 0
            ? `Sorting ${type}s…`
            : `${written.toLocaleString('en')} of ${rows.toLocaleString('en')}`}
      </p>
      <p className={styles.hint}>The file downloads automatically. You can continue working.</p>
      <Group justify="flex-end" gap="xs">
        <Button
          variant="default"
          onClick={() => {
            run.stop()
            onClose()
          }}
        >
          Cancel
        </Button>
        <Button ref={focusFirst} onClick={onClose}>
          Continue working
        </Button>
      </Group>
    </div>
  )
}
