import type { InstrumentStatus } from '@benchwatch/contract/vocabulary'
import { describe, expect, it } from 'vitest'
import { sampleNow } from '../clock.ts'
import { type InstrumentType, instrumentTypes } from '../equipment/instrument-type.ts'
import { aFleet } from '../fleet.ts'
import { Machine } from './machine.ts'
import { livelyPace } from './pace.ts'
import { type Posting, postingsOf } from './postings.ts'
import { mayFollow, transitionsOf } from './rig.ts'

const DAY = 86_400_000
const now = sampleNow().getTime()
const postings = postingsOf(aFleet({ seed: 'machines', instruments: 200 }))

function aPosting(type: InstrumentType): Posting {
  const found = postings.find(({ instrument }) => instrument.type === type)
  if (!found) throw new Error(`The fleet has no ${type}.`)
  return found
}

/** Returns all reports of a machine from its start until `to`, with their times. */
function live(machine: Machine, to: number) {
  const told: { at: number; type: string; data: object; status: InstrumentStatus }[] = []
  while (machine.nextAt < to) {
    const at = machine.nextAt
    for (const emission of machine.advance()) told.push({ at, ...emission, status: machine.status })
  }
  return told
}

describe.each(instrumentTypes)('an instrument of type %s', (type) => {
  it('does the same again from the same seed, and something else from another', () => {
    const tell = (seed: string) => live(new Machine(aPosting(type), { seed, at: now - 10 * DAY }), now)
    expect(tell('a')).toEqual(tell('a'))
    expect(tell('a')).not.toEqual(tell('b'))
  })

  it('does what it does wherever the simulation begins', () => {
    const early = live(new Machine(aPosting(type), { seed: 'a', at: now - 20 * DAY }), now)
    const late = new Machine(aPosting(type), { seed: 'a', at: now - 3 * DAY })
    expect(live(late, now)).toEqual(early.filter(({ at }) => at >= now - 3 * DAY))
  })

  it('goes only through statuses that may follow each other, and through every one of them', () => {
    const seen = new Set<string>()
    const machines = postings.filter(({ instrument }) => instrument.type === type)
    for (const posting of machines) {
      const machine = new Machine(posting, { seed: 'a', at: now - 90 * DAY })
      let status = machine.status
      for (const { type: told, data } of live(machine, now)) {
        if (told !== 'benchwatch.status.changed' || !('instrumentStatus' in data)) continue
        const next = data.instrumentStatus as InstrumentStatus
        expect(mayFollow(type, status, next), `${status} → ${next}`).toBe(true)
        status = next
        seen.add(next)
      }
      expect(status).toBe(machine.status)
    }
    expect(seen).toEqual(new Set(Object.keys(transitionsOf(type))))
  })

  it('clears each alarm at most once and only what it has raised', () => {
    const machine = new Machine(aPosting(type), { seed: 'a', at: now - 60 * DAY })
    const open = new Set(machine.openAlarms.map(({ alertId }) => alertId))
    let cleared = 0
    for (const { type: told, data } of live(machine, now)) {
      if (!('alertId' in data)) continue
      const alertId = String(data.alertId)
      if (told === 'benchwatch.alarm.raised') open.add(alertId)
      else {
        expect(open.delete(alertId)).toBe(true)
        cleared++
      }
    }
    expect(cleared).toBeGreaterThan(3)
    expect([...open].sort()).toEqual(machine.openAlarms.map(({ alertId }) => alertId).sort())
  })
})

describe('the table of transitions', () => {
  it('lets any instrument be switched off and on', () => {
    expect(mayFollow('AKTAPure', 'method run', 'initializing system')).toBe(true)
    expect(mayFollow('Wave25', 'running', 'initializing system')).toBe(true)
  })

  it('refuses what no instrument does', () => {
    expect(mayFollow('AKTAPure', 'ready', 'method run')).toBe(false)
    expect(mayFollow('Wave25', 'ready', 'wash')).toBe(false)
  })
})

describe('a change of pace', () => {
  const posting = aPosting('AKTAPure')

  it('keeps the status and continues from that instant', () => {
    const machine = new Machine(posting, { seed: 'a', at: now })
    const { status } = machine
    machine.changePace(livelyPace(1), now)
    expect(machine.status).toBe(status)
    expect(machine.nextAt).toBeGreaterThanOrEqual(now)
  })

  it('makes a fleet as active as the pace says', () => {
    const statusesOf = (speed: number) => {
      const machines = postings.map((each) => new Machine(each, { seed: 'a', at: now }))
      for (const machine of machines) machine.changePace(livelyPace(speed), now)
      return machines
        .flatMap((machine) => live(machine, now + DAY / 4))
        .filter(({ type }) => type === 'benchwatch.status.changed').length
    }
    const ordinary = statusesOf(1)
    // 197 of 400 instruments change: one change each 10 s.
    expect(ordinary).toBeGreaterThan(1_500)
    expect(ordinary).toBeLessThan(2_900)
    expect(statusesOf(3) / ordinary).toBeGreaterThan(2)
  })

  it('invents nothing for the time that was slept through', () => {
    const machine = new Machine(posting, { seed: 'a', at: now })
    const before = machine.nextAt
    machine.postpone(DAY)
    expect(machine.nextAt).toBe(before + DAY)
  })
})
