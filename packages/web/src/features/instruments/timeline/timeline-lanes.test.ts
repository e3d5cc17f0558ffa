import { describe, expect, it } from 'vitest'
import {
  drawnStretches,
  eventEnd,
  eventMarks,
  placed,
  runtimeDays,
  type Stretch,
  stretchAt,
  type TimelineEvent,
} from './timeline-lanes.ts'

const span = { from: 0, to: 1000 }

const event = (id: number, at: number, severity: TimelineEvent['severity'] = 'low'): TimelineEvent => ({
  id: String(id),
  eventId: String(id),
  createdAt: new Date(at).toISOString(),
  logGeneratedAt: new Date(at).toISOString(),
  closedAt: null,
  clearedAt: null,
  severity,
  alertStatus: '1_NEW',
  description: 'Pressure above limit',
  templateId: 'P9B-1042',
  duringMaintenance: false,
})

describe('stretches as they are drawn', () => {
  const known: Stretch<string>[] = [
    { value: 'ready', from: -500, to: 100 },
    { value: 'running', from: 100, to: 600 },
    { value: 'hold', from: 600, to: 603 },
    { value: 'running', from: 603, to: null },
  ]

  it('begin and end where they do, as far as there are columns', () => {
    expect(drawnStretches(known, { span, columns: 10, until: 1000 })).toEqual([
      { value: 'ready', left: 0, width: 10 },
      { value: 'running', left: 10, width: 90 },
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
    expect(drawn.at(-1)).toEqual({ value: 'wash', left: 70, width: 5 })
  })

  it('end at now', () => {
    const last = drawnStretches(known, { span, columns: 10, until: 750 }).at(-1)
    expect(last).toEqual({ value: 'running', left: 10, width: 65 })
  })

  it('leave out what is not known', () => {
    expect(drawnStretches([{ value: 'ready', from: 400, to: null }], { span, columns: 10, until: 1000 })).toEqual([
      { value: 'ready', left: 40, width: 60 },
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

describe('marks of events', () => {
  it('join where they would lie on each other, under the worst', () => {
    const marks = eventMarks([event(1, 100), event(2, 110, 'high'), event(3, 500, 'medium')], { span, width: 500 })
    expect(marks.map(({ events, severity }) => [events.length, severity])).toEqual([
      [2, 'high'],
      [1, 'medium'],
    ])
  })

  it('never take presses from each other: each has 24 px of its own', () => {
    const width = 500
    const some = [0, 20, 41, 60, 300, 347, 395].map((at, index) => event(index, at))
    const places = eventMarks(some, { span, width }).map(({ left }) => (left / 100) * width)
    const gaps = places.slice(1).map((place, index) => place - (places[index] ?? 0))
    expect(gaps.length).toBeGreaterThan(2)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(24)
  })

  it('hold each event once, whatever their number', () => {
    const many = Array.from({ length: 1000 }, (_, index) => event(index, index))
    const marks = eventMarks(many, { span, width: 700 })
    expect(marks.flatMap(({ events }) => events)).toHaveLength(1000)
    expect(marks.length).toBeLessThanOrEqual(Math.ceil(700 / 24))
  })

  it('stand by the clock of the instrument, and only within the span', () => {
    const late = { ...event(1, 400), createdAt: new Date(2000).toISOString() }
    expect(eventMarks([late, event(2, 1000), event(3, -1)], { span, width: 500 })).toMatchObject([{ left: 40 }])
  })

  it('an event ends when it is cleared or closed, whichever is first', () => {
    expect(eventEnd(event(1, 0))).toBeNull()
    const both = { ...event(1, 0), clearedAt: new Date(200).toISOString(), closedAt: new Date(100).toISOString() }
    expect(eventEnd(both)).toBe(100)
  })
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
  })

  it('of a zone that the browser does not know are the viewer’s own', () => {
    expect(runtimeDays([{ time: '2026-11-20', value: 0 }], 'Mars/Olympus').map(hours)).toEqual([24])
  })
})

it('something is placed as far as it touches the axis', () => {
  expect(placed({ from: -100, to: 100 }, span)).toEqual({ left: 0, width: 10 })
  expect(placed({ from: 900, to: null }, span)).toEqual({ left: 90, width: 10 })
  expect(placed({ from: 1000, to: null }, span)).toBeNull()
  expect(placed({ from: -100, to: 0 }, span)).toBeNull()
})
