import dayjs from 'dayjs'
import { placeOf, type Span } from './timeline-span.ts'

/** Marks on the axis of time, at even times of the viewer's own clock. */
export interface Tick {
  at: number
  /** Percent of the axis. */
  left: number
  label: string
  /** The first of a day (of a month, among days): bears the date and a stronger line. */
  isMajor: boolean
}

const steps = [
  { unit: 'minute', count: 1 },
  { unit: 'minute', count: 5 },
  { unit: 'minute', count: 15 },
  { unit: 'minute', count: 30 },
  { unit: 'hour', count: 1 },
  { unit: 'hour', count: 3 },
  { unit: 'hour', count: 6 },
  { unit: 'hour', count: 12 },
  { unit: 'day', count: 1 },
  { unit: 'day', count: 2 },
  { unit: 'day', count: 7 },
  { unit: 'month', count: 1 },
  { unit: 'month', count: 3 },
] as const
type Step = (typeof steps)[number]

const lengths = { minute: 60_000, hour: 3_600_000, day: 86_400_000, month: 30 * 86_400_000 } as const
/** A label of six letters and some air. */
const LABEL_PX = 62

/** As many ticks as an axis of `width` pixels has room for. Across a change of clocks hours stay even. */
export function ticksOf(span: Span, width: number): Tick[] {
  const least = ((span.to - span.from) * LABEL_PX) / Math.max(width, LABEL_PX)
  const step = steps.find(({ unit, count }) => lengths[unit] * count >= least) ?? steps[steps.length - 1]
  if (step === undefined) return []
  const ticks: Tick[] = []
  for (let at = firstTick(span.from, step); at.valueOf() < span.to; at = after(at, step)) {
    if (at.valueOf() >= span.from) ticks.push(tickAt(at, { span, step }))
  }
  return ticks
}

function tickAt(at: dayjs.Dayjs, { span, step }: { span: Span; step: Step }): Tick {
  const isMidnight = at.hour() === 0 && at.minute() === 0
  const isMajor = step.unit === 'month' ? at.month() === 0 : step.unit === 'day' ? at.date() === 1 : isMidnight
  return {
    at: at.valueOf(),
    left: placeOf(at.valueOf(), span),
    label: at.format(formatOf(at, { step, isMidnight })),
    isMajor,
  }
}

function formatOf(at: dayjs.Dayjs, { step, isMidnight }: { step: Step; isMidnight: boolean }): string {
  if (step.unit === 'month') return at.month() === 0 ? 'MMM YYYY' : 'MMM'
  if (step.unit === 'day') return 'D MMM'
  return isMidnight ? 'D MMM' : 'HH:mm'
}

function firstTick(from: number, { unit, count }: Step): dayjs.Dayjs {
  const start = dayjs(from)
  switch (unit) {
    case 'minute':
      return start.startOf('hour')
    case 'hour':
      return start.startOf('day')
    // Weeks begin on Monday; pairs of days are counted from the first of the month.
    case 'day':
      return count === 7 ? start.startOf('day').subtract((start.day() + 6) % 7, 'day') : start.startOf('month')
    case 'month':
      return start.startOf('year')
  }
}

/** By the clock, not by length: the third hour after midnight is 03:00 whatever was skipped or repeated. */
function after(at: dayjs.Dayjs, { unit, count }: Step): dayjs.Dayjs {
  if (unit === 'hour') {
    const hour = at.hour() + count
    const next = hour >= 24 ? at.add(1, 'day').startOf('day') : at.hour(hour)
    return next.valueOf() > at.valueOf() ? next : at.add(count, 'hour')
  }
  if (unit === 'day' && count === 2) {
    const next = at.add(2, 'day')
    // The last day of a month of 31 would touch the first of the next one.
    return next.date() === 1 || next.add(1, 'day').date() === 1 || next.month() !== at.month()
      ? at.add(1, 'month').startOf('month')
      : next
  }
  return at.add(count, unit)
}
