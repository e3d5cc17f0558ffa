import { describe, expect, it } from 'vitest'
import { type LiveMaintenance, type MaintenanceRequest, planMaintenance } from './maintenance-plan.ts'

const now = new Date('2026-11-20T14:00:00Z')
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000)

const single = (id: number, from: number, to: number | null, more: Partial<LiveMaintenance> = {}): LiveMaintenance => ({
  id,
  start: hours(from),
  end: to === null ? null : hours(to),
  reason: null,
  rrule: null,
  timeZone: null,
  ...more,
})
const request = (more: Partial<MaintenanceRequest>): MaintenanceRequest => ({
  start: now,
  end: null,
  reason: null,
  ...more,
})
const plan = (more: Partial<MaintenanceRequest>, live: LiveMaintenance[] = []) =>
  planMaintenance(request(more), { live, now })
const added = (start: Date, end: Date | null) => ({ start, end, reason: null, rrule: null, timeZone: null })

describe('a start', () => {
  it('of now puts into maintenance until somebody ends it', () => {
    expect(plan({})).toEqual({ kind: 'replace', ends: [], adds: added(now, null) })
  })

  it('that has passed today counts from now', () => {
    expect(plan({ start: hours(-10), end: hours(5) })).toMatchObject({ adds: added(now, hours(5)) })
  })

  it('before today is refused: somewhere on earth today began up to 24 hours ago', () => {
    expect(plan({ start: hours(-24) })).toMatchObject({ kind: 'replace' })
    expect(plan({ start: new Date(hours(-24).getTime() - 1) })).toMatchObject({ kind: 'refusal' })
  })

  it('is judged by the viewer’s own today where their zone is told', () => {
    // 15:00 in Stockholm, where the day began 15 hours ago; 03:00 on the 21st in Auckland, where it began 3 hours ago.
    expect(plan({ start: hours(-15), timeZone: 'Europe/Stockholm' })).toMatchObject({ kind: 'replace' })
    expect(plan({ start: hours(-16), timeZone: 'Europe/Stockholm' })).toMatchObject({ kind: 'refusal' })
    expect(plan({ start: hours(-3), timeZone: 'Pacific/Auckland' })).toMatchObject({ kind: 'replace' })
    expect(plan({ start: hours(-4), timeZone: 'Pacific/Auckland' })).toMatchObject({ kind: 'refusal' })
  })
})

describe('an end', () => {
  it.each([
    ['at the start', { start: hours(2), end: hours(2) }],
    ['before the start', { start: hours(2), end: hours(1) }],
    ['that has passed', { start: hours(-5), end: hours(-1) }],
    ['without a start', { start: null, end: hours(1) }],
  ])('%s is refused', (_name, wrong) => expect(plan(wrong)).toMatchObject({ kind: 'refusal' }))
})

describe('start null', () => {
  it('ends the current one, which is the first', () => {
    expect(plan({ start: null }, [single(7, -1, 2), single(8, 50, 60)])).toEqual({
      kind: 'replace',
      ends: [7],
      adds: null,
    })
  })

  it('ends the one that is named', () => {
    expect(plan({ start: null, id: 8 }, [single(7, -1, 2), single(8, 50, 60)])).toMatchObject({ ends: [8] })
  })

  it('does nothing where there is none', () => expect(plan({ start: null })).toEqual({ kind: 'nothing' }))
})

describe('several windows', () => {
  const live = [single(7, -1, 2), single(8, 50, 60), single(9, 70, 80, { rrule: 'FREQ=DAILY', timeZone: 'UTC' })]

  it('stand beside each other', () => {
    expect(plan({ start: hours(10), end: hours(20) }, live)).toMatchObject({ ends: [] })
    expect(plan({ start: hours(2), end: hours(50) }, live)).toMatchObject({ ends: [] })
  })

  it('are taken the place of where one overlaps them, but for recurring ones', () => {
    expect(plan({ start: hours(1), end: hours(51) }, live)).toMatchObject({ ends: [7, 8] })
    expect(plan({ start: hours(55) }, live)).toMatchObject({ ends: [8] })
    expect(plan({ start: hours(75), end: hours(76) }, live)).toMatchObject({ ends: [] })
  })

  it('end where one without an end overlaps them', () => {
    expect(plan({ start: hours(5), end: hours(6) }, [single(7, -1, null)])).toMatchObject({ ends: [7] })
  })

  it('are twenty at most', () => {
    const many = Array.from({ length: 20 }, (_, index) => single(index + 1, 100 + index * 2, 101 + index * 2))
    expect(plan({ start: hours(1), end: hours(2) }, many)).toMatchObject({ kind: 'refusal' })
    expect(plan({ start: hours(100), end: hours(101), reason: 'Longer' }, many)).toMatchObject({ ends: [1] })
  })
})

describe('a maintenance that is named', () => {
  it('keeps its start and gets another end or reason', () => {
    expect(plan({ id: 7, start: hours(-5), end: hours(3), reason: 'Filter' }, [single(7, -5, null)])).toEqual({
      kind: 'update',
      id: 7,
      end: hours(3),
      reason: 'Filter',
    })
    expect(plan({ id: 7, start: hours(-5), end: hours(-1) }, [single(7, -5, null)])).toMatchObject({ kind: 'refusal' })
  })

  it('is replaced by one with another start, wherever that lies', () => {
    expect(plan({ id: 8, start: hours(70), end: hours(80) }, [single(7, -1, 2), single(8, 50, 60)])).toMatchObject({
      ends: [8],
      adds: added(hours(70), hours(80)),
    })
  })

  it('is refused when it is over', () => expect(plan({ id: 6 }, [single(7, -1, 2)])).toMatchObject({ kind: 'refusal' }))
})

describe('a recurring maintenance that is named', () => {
  const rule = { rrule: 'FREQ=WEEKLY;COUNT=5', timeZone: 'UTC' }
  const live = [single(7, 5, 6, rule)]

  it('keeps its windows where only its reason is new', () => {
    expect(plan({ id: 7, start: hours(5), end: hours(6), reason: 'Filter', ...rule }, live)).toEqual({
      kind: 'new-reason',
      id: 7,
      reason: 'Filter',
    })
    expect(plan({ id: 7, start: hours(5), end: hours(6), ...rule }, live)).toEqual({ kind: 'nothing' })
  })

  it('is replaced where anything else is', () => {
    expect(plan({ id: 7, start: hours(5), end: hours(7), ...rule }, live)).toMatchObject({ ends: [7] })
    expect(plan({ id: 7, start: hours(5), end: hours(6) }, live)).toMatchObject({ ends: [7], adds: { rrule: null } })
    const daily = { ...rule, rrule: 'FREQ=DAILY' }
    expect(plan({ id: 7, start: hours(5), end: hours(6), ...daily }, live)).toMatchObject({ ends: [7], adds: daily })
  })
})

describe('a repeated request', () => {
  it('does nothing', () => {
    expect(plan({}, [single(7, -1, null)])).toEqual({ kind: 'nothing' })
    expect(plan({ start: hours(5), end: hours(6) }, [single(7, 5, 6)])).toEqual({ kind: 'nothing' })
    const rule = { rrule: 'FREQ=DAILY', timeZone: 'UTC' }
    expect(plan({ start: hours(5), end: hours(6), ...rule }, [single(7, 5, 6, rule)])).toEqual({ kind: 'nothing' })
    expect(plan({ id: 7, start: hours(5), end: hours(6) }, [single(7, 5, 6)])).toEqual({ kind: 'nothing' })
  })
})

describe('a rule', () => {
  const rule = { rrule: 'FREQ=WEEKLY', timeZone: 'Europe/Stockholm' }

  it('is added beside what there is, with its zone', () => {
    expect(plan({ start: hours(1), end: hours(2), ...rule }, [single(7, 0, 5)])).toMatchObject({ ends: [], adds: rule })
  })

  it.each([
    ['without a zone', { end: hours(2), rrule: 'FREQ=WEEKLY' }],
    ['without an end', { ...rule }],
    ['that ends before it begins', { ...rule, start: hours(3), end: hours(2) }],
    ['that is none', { end: hours(2), timeZone: 'UTC', rrule: 'every week' }],
  ])('%s is refused', (_name, wrong) => expect(plan({ start: hours(1), ...wrong })).toMatchObject({ kind: 'refusal' }))
})
