import { severityLabels } from '@benchwatch/contract/vocabulary'
import { formatSpan } from '../../lib/duration.ts'
import { eventName } from '../../lib/event-name.ts'
import type { Side } from './compare-clock.ts'
import styles from './compare-marks.module.css'
import type { ComparedEvent } from './compare-place.ts'
import { formatLineDay, formatLineTime, lineTimeTitle } from './log-time.ts'

/** What stands between lines: silence, the beginning of a day, the moment of the event. */

export function GapRow({ length }: { length: number }) {
  return (
    <div role="cell" className={styles.gap}>
      <span>{formatSpan(length / 1000)} without lines</span>
    </div>
  )
}

export function DayRow({ at }: { at: number }) {
  return (
    <div role="cell" className={styles.day}>
      {formatLineDay(at)}
    </div>
  )
}

export function CompareEventRow({ event, siteZone }: { event: ComparedEvent; siteZone: string | null }) {
  return (
    <div role="cell" className={styles.event} data-severity={event.severity}>
      <span>
        <time dateTime={new Date(event.at).toISOString()} title={lineTimeTitle(event.at, siteZone)}>
          {formatLineTime(event.at)}
        </time>{' '}
        {eventName(event)} was generated · {severityLabels[event.severity]}
      </span>
    </div>
  )
}

/** The log wrote nothing while the other one did; `silence` in ms where it begins. */
export function SilentCell({ side, silence }: { side: Side; silence: number | null }) {
  return (
    <div className={styles.silent} data-side={side}>
      {silence !== null && <span>{formatSpan(silence / 1000)} without lines</span>}
    </div>
  )
}
