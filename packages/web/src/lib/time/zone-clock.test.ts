import { describe, expect, it } from 'vitest'
import { addDays, daysBetween, instantOf, isKnownZone, wallTime } from './zone-clock.ts'

const zones = [
  'UTC',
  'Europe/Stockholm',
  'America/New_York',
  'Asia/Tokyo',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
]

describe('the clock of a zone', () => {
  it.each([
    ['2026-11-20T23:30:59.999Z', 'Europe/Stockholm', { day: '2026-11-21', time: '00:30' }],
    ['2026-07-20T22:30:00Z', 'Europe/Stockholm', { day: '2026-07-21', time: '00:30' }],
    ['2026-11-20T00:00:00Z', 'America/New_York', { day: '2026-11-19', time: '19:00' }],
    ['2026-11-20T00:00:00Z', 'Asia/Kolkata', { day: '2026-11-20', time: '05:30' }],
  ])('shows %s in %s', (at, zone, wall) => expect(wallTime(at, zone)).toEqual(wall))

  it.each(zones)('is read back, all through a year of %s', (zone) => {
    for (let at = Date.parse('2027-01-01T00:00Z'); at < Date.parse('2028-01-01T00:00Z'); at += 13 * 1_800_000) {
      const wall = wallTime(at, zone)
      const found = instantOf(wall, zone).getTime()
      expect(wallTime(found, zone), wall.day).toEqual(wall)
      expect(found, 'the first of an hour that is repeated').toBeLessThanOrEqual(at)
      expect(at - found).toBeLessThanOrEqual(3_600_000)
    }
  })

  it('comes later where a time is skipped, and is the first where it is repeated', () => {
    const stockholm = (day: string, time: string) => instantOf({ day, time }, 'Europe/Stockholm').toISOString()
    expect(stockholm('2027-03-28', '02:30')).toBe('2027-03-28T01:30:00.000Z')
    expect(stockholm('2027-10-31', '02:30')).toBe('2027-10-31T00:30:00.000Z')
    const lordHowe = (day: string, time: string) => instantOf({ day, time }, 'Australia/Lord_Howe').toISOString()
    expect(lordHowe('2027-10-03', '02:15')).toBe('2027-10-02T15:45:00.000Z')
    expect(lordHowe('2027-04-04', '01:45')).toBe('2027-04-03T14:45:00.000Z')
  })
})

it('counts calendar days', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  expect(addDays('2027-01-01', -1)).toBe('2026-12-31')
  expect(daysBetween('2027-03-27', '2027-03-29')).toBe(2)
  expect(daysBetween('2027-03-29', '2027-03-27')).toBe(-2)
})

it('knows which zones there are', () => {
  expect(isKnownZone('Europe/Stockholm')).toBe(true)
  expect(isKnownZone('Mars/Olympus')).toBe(false)
})
