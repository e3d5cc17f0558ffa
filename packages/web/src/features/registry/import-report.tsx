import { counted } from '../../lib/counted.ts'
import { lineOf } from './import-file.ts'
import styles from './registry-import.module.css'

export interface ImportResult {
  created: number
  updated: number
  errors: { line: number; path: string; message: string }[]
}

/** As many errors as a person works through at once. */
const SHOWN_ERRORS = 50

/** What a checked file would do, or did: counts, and each error with the line it is in. */
export function ImportReport(props: { report: ImportResult; content: string; isDone: boolean }) {
  const { report, content, isDone } = props
  if (report.errors.length > 0) return <Errors errors={report.errors} content={content} />
  const counts = [
    [report.created, isDone ? 'created' : 'will be created'],
    [report.updated, isDone ? 'updated' : 'will be updated'],
  ] as const
  return (
    <div role="status" className={styles.report}>
      <p className={styles.verdict}>{isDone ? 'Imported' : 'The file is good'}</p>
      <ul className={styles.counts}>
        {counts.map(([count, words]) => (
          <li key={words}>
            <strong>{count.toLocaleString('en')}</strong> {words}
          </li>
        ))}
      </ul>
      {!isDone && report.created + report.updated === 0 && <p>Nothing in it differs from the registry.</p>}
    </div>
  )
}

function Errors({ errors, content }: { errors: ImportResult['errors']; content: string }) {
  const more = errors.length - SHOWN_ERRORS
  return (
    <section className={styles.report} aria-label="Errors in the file">
      <div role="alert">
        <p className={styles.verdict} data-bad>
          {errors.length === 1 ? 'One error' : counted(errors.length, 'error')}: nothing was written
        </p>
        <p>Correct the file and choose it again.</p>
      </div>
      <ol className={styles.errors}>
        {errors.slice(0, SHOWN_ERRORS).map(({ line, path, message }) => (
          <li key={`${line} ${path} ${message}`}>
            <span className={styles.line}>Line {line}</span>
            <span>
              {path !== '' && <strong>{path}: </strong>}
              {message}
              <code>{lineOf(content, line)}</code>
            </span>
          </li>
        ))}
      </ol>
      {more > 0 && <p>and {more.toLocaleString('en')} more</p>}
    </section>
  )
}
