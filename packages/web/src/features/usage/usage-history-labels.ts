import { type DayLabel, dayLabels } from './runtime-axis.ts'
import { dayAt, type HistoryAxis } from './usage-history-axis.ts'

/** Names of days or months below the axis of a history, at most `most`. */
export function historyLabels(axis: HistoryAxis, room: { most: number; width: number }): DayLabel[] {
  return dayLabels(
    Array.from({ length: axis.days }, (_, place) => ({ day: dayAt(axis, place) })),
    room,
  )
}
