import { Button, Group, TextInput } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import { useState } from 'react'
import { calendarDay, dayBegins, endOfDay, startOfDay } from '../../lib/time/dates.ts'
import { parseTypedDate, writeTypedDate, writeTypedDay } from '../../lib/time/typed-dates.ts'
import styles from './date-range.module.css'
import { type DateRange, pastRanges, type RangeKind } from './range-kind.ts'

/** Result of validating a typed or clicked date range. */
type RangeVerdict = { range: DateRange } | { error: string; field: 'start' | 'stop' }

const MINUTE_MS = 60_000

const INVALID_FORMAT = 'Invalid date format'

const END_BEFORE_START = 'End date must be later than start date!'

/** The content of the date range picker, loaded on opening. Nothing applies before 'Apply', Enter or a preset. */
export function DateRangePanel(props: {
  range: DateRange
  kind?: RangeKind | undefined
  onApply: (range: DateRange) => void
  onCancel: () => void
}) {
  const kind = props.kind ?? pastRanges
  const [written] = useState(() => writeRange(props.range, kind))
  const [startText, setStartText] = useState(written.start)
  const [stopText, setStopText] = useState(written.stop)
  const [halfPicked, setHalfPicked] = useState<string | null>(null)
  const now = new Date()
  const verdict = readRange({ start: startText, stop: stopText }, now, kind)
  const problem = 'error' in verdict ? verdict : null
  const isPicking = halfPicked !== null

  function handleDays([first, last]: [string | null, string | null]) {
    setHalfPicked(last === null ? first : null)
    if (first === null || last === null) return
    const range = rangeOfDays([dayBegins(first), dayBegins(last)], now, kind)
    const texts = writeRange(range, kind)
    setStartText(texts.start)
    setStopText(texts.stop)
  }

  return (
    <form
      className={styles.panel}
      onSubmit={(submit) => {
        submit.preventDefault()
        // Fields show minutes; unchanged fields must not cut the seconds of a range from the address.
        if (startText === written.start && stopText === written.stop) props.onCancel()
        else if ('range' in verdict && !isPicking) props.onApply(verdict.range)
      }}
    >
      <ul className={styles.presets} aria-label="Ranges">
        {kind.presets(now).map(({ label, range }) => (
          <li key={label}>
            <button type="button" aria-pressed={isSameRange(range, props.range)} onClick={() => props.onApply(range)}>
              {label}
            </button>
          </li>
        ))}
      </ul>
      <div className={styles.fields}>
        <div className={styles.inputs}>
          <TextInput
            label="From"
            data-autofocus
            autoComplete="off"
            spellCheck={false}
            value={startText}
            error={problem?.field === 'start' && problem.error}
            onChange={({ currentTarget }) => setStartText(currentTarget.value)}
          />
          <TextInput
            label="To"
            autoComplete="off"
            spellCheck={false}
            value={stopText}
            error={problem?.field === 'stop' && problem.error}
            onChange={({ currentTarget }) => setStopText(currentTarget.value)}
          />
        </div>
        <DatePicker
          type="range"
          allowSingleDateInRange
          maxDate={kind.isPast ? now : undefined}
          defaultDate={isPicking ? undefined : (pickedDays(verdict)[1] ?? undefined)}
          value={isPicking ? [halfPicked, null] : pickedDays(verdict)}
          onChange={handleDays}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={props.onCancel}>
            Cancel
          </Button>
          <Button type="submit" disabled={problem !== null || isPicking}>
            Apply
          </Button>
        </Group>
      </div>
    </form>
  )
}

function isSameRange(one: DateRange, other: DateRange): boolean {
  return one.start.getTime() === other.start.getTime() && one.stop.getTime() === other.stop.getTime()
}

/** Returns the calendar days of the typed range; a range that ends at midnight ends on the day before. */
function pickedDays(verdict: ReturnType<typeof readRange>): [string | null, string | null] {
  if (!('range' in verdict)) return [null, null]
  const { start, stop } = verdict.range
  return [calendarDay(start), calendarDay(new Date(stop.getTime() - 1))]
}

/** Returns the texts of the two fields. Shows the last minute of the range, not the first after it. */
export function writeRange(
  { start, stop }: DateRange,
  { isByDay }: RangeKind = pastRanges,
): { start: string; stop: string } {
  if (isByDay) return { start: writeTypedDay(start), stop: writeTypedDay(new Date(stop.getTime() - MINUTE_MS)) }
  return { start: writeTypedDate(start), stop: writeTypedDate(new Date(stop.getTime() - MINUTE_MS)) }
}

/**
 * Parses both texts. The end includes its whole minute, or its whole day if no time was typed. In a range of the past,
 * later days become the end of today.
 */
export function readRange(
  { start: startText, stop: stopText }: { start: string; stop: string },
  now: Date,
  kind: RangeKind = pastRanges,
): RangeVerdict {
  const start = parseTypedDate(startText)
  if (start === null) return { error: INVALID_FORMAT, field: 'start' }
  const last = parseTypedDate(stopText)
  if (last === null) return { error: INVALID_FORMAT, field: 'stop' }
  const isTimed = !kind.isByDay && /:\d\d\s*$/.test(stopText)
  const stop = isTimed ? new Date(last.getTime() + MINUTE_MS) : endOfDay(last)
  const typed = { start: kind.isByDay ? startOfDay(start) : start, stop }
  const range = kind.isPast ? { start: notAfterToday(typed.start, now), stop: notAfterToday(stop, now) } : typed
  const isAhead = range.stop.getTime() - range.start.getTime() > MINUTE_MS
  return isAhead ? { range } : { error: END_BEFORE_START, field: 'stop' }
}

function notAfterToday(date: Date, now: Date): Date {
  const end = endOfDay(now)
  return date > end ? end : date
}

/** Returns whole days between two clicked days, in either order. */
export function rangeOfDays(
  [one, other]: readonly [Date, Date],
  now: Date,
  { isPast }: RangeKind = pastRanges,
): DateRange {
  const [first, last] = one < other ? [one, other] : [other, one]
  const stop = endOfDay(last)
  return { start: startOfDay(first), stop: isPast ? notAfterToday(stop, now) : stop }
}
