import { describe, expect, it } from 'vitest'
import type { Stretch } from '../../../ui/charts/time-axis.tsx'
import { drawnStretches, eventEnd, runtimeDays, stretchAt, type TimelineEvent } from './timeline-lanes.ts'

const span = { from: 0, to: 1000 }

describe('stretches as they are drawn', () => {
  const known: Stretch<string>[] = [
    { value: 'ready', from: -500, to: 100 },
    { value: 'running', from: 100, to: 600 },
    { value: 'hold', from: 600, to: 603 },
    { value: 'running', from: 603, to: null },
  ]

  it('begin and end where they do, as far as there are columns', () => {
    expect(drawnStretches(known, { span, columns: 10, until: 1000 })).toEqual([
      { value: 'ready', from: 0, to: 100 },
      { value: 'running', from: 100, to: 1000 },
    ])
  })

  it('show in each column what held the longest', () => {
    expect(drawnStretches(known, { span, columns: 500, until: 1000 }).map(({ value }) => value)).toEqual([
      'ready',
      'running',
      'hold',
      'running',
    ])
  })

  it('show what holds now, however short it has', () => {
    const begun = [
      ...known.slice(0, -1),
      { value: 'running', from: 603, to: 749 },
      { value: 'wash', from: 749, to: null },
    ]
    const drawn = drawnStretches(begun, { span, columns: 10, until: 750 })
    expect(drawn.at(-1)).toEqual({ value: 'wash', from: 700, to: 750 })
  })

  it('end at now', () => {
    const last = drawnStretches(known, { span, columns: 10, until: 750 }).at(-1)
    expect(last).toEqual({ value: 'running', from: 100, to: 750 })
  })

  it('leave out what is not known', () => {
    expect(drawnStretches([{ value: 'ready', from: 400, to: null }], { span, columns: 10, until: 1000 })).toEqual([
      { value: 'ready', from: 400, to: 1000 },
    ])
    expect(drawnStretches([], { span, columns: 10, until: 1000 })).toEqual([])
  })

  it('of five thousand statuses are no more than there are columns', () => {
    const many = Array.from({ length: 5000 }, (_, index) => ({
      value: index % 3,
      from: index / 5,
      to: index === 4999 ? null : (index + 1) / 5,
    }))
    expect(drawnStretches(many, { span, columns: 300, until: 1000 }).length).toBeLessThanOrEqual(300)
  })

  it('say what held at an instant', () => {
    expect(stretchAt(known, 601)?.value).toBe('hold')
    expect(stretchAt(known, 603)?.value).toBe('running')
    expect(stretchAt(known, -501)).toBeUndefined()
  })
})

it('an event ends when it is cleared or closed, whichever is first', () => {
  const event = (cleared: number | null, closed: number | null) =>
    eventEnd({ clearedAt: iso(cleared), closedAt: iso(closed) } as TimelineEvent)
  const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  expect(event(null, null)).toBeNull()
  expect(event(200, 100)).toBe(100)
})

describe('days of run time', () => {
  const hours = ({ from, to }: { from: number; to: number }) => (to - from) / 3_600_000

  it('are days at the site', () => {
    const [day] = runtimeDays([{ time: '2026-11-20', value: 3600 }], 'Asia/Tokyo')
    expect(new Date(day?.from ?? 0).toISOString()).toBe('2026-11-19T15:00:00.000Z')
    expect(new Date(day?.to ?? 0).toISOString()).toBe('2026-11-20T15:00:00.000Z')
  })

  it('are an hour longer or shorter where the clock of the site changes', () => {
    const days = runtimeDays(
      [
        { time: '2026-10-25', value: 0 },
        { time: '2027-03-28', value: 0 },
        { time: '2026-12-31', value: 0 },
      ],
      'Europe/Stockholm',
    )
    expect(days.map(hours)).toEqual([25, 23, 24])
    // The clocks of the Azores go back from 1:00 to 0:00, so the day begins at the first of two midnights.
    expect(runtimeDays([{ time: '2026-10-25', value: 0 }], 'Atlantic/Azores').map(hours)).toEqual([25])
  })

  it('of a zone that the browser does not know are the viewer’s own', () => {
    expect(runtimeDays([{ time: '2026-11-20', value: 0 }], 'Mars/Olympus').map(hours)).toEqual([24])
  })
})
