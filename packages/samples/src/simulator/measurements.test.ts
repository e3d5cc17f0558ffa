import { thresholdRules } from '@benchwatch/contract/vocabulary'
import { describe, expect, it } from 'vitest'
import { sampleNow } from '../clock.ts'
import { componentsOf } from '../equipment/components.ts'
import { traitsByType } from '../equipment/traits.ts'
import { aFleet } from '../fleet.ts'
import { type HistoricItem, simulateHistory } from './history.ts'
import { Machine } from './machine.ts'
import { livelyPace } from './pace.ts'
import { postingsOf } from './postings.ts'
import { Reporter } from './reporter.ts'
import { usageAt } from './usage.ts'
import { dayAt, midnight } from './working-hours.ts'

const DAY = 86_400_000
const to = sampleNow()
const from = new Date(to.getTime() - 30 * DAY)
const fleet = aFleet({ seed: 'measures', instruments: 90 })
const postings = postingsOf(fleet)
const items = [...simulateHistory({ fleet, seed: 'measures', from, to })].map(({ item }) => item)
type Item = HistoricItem['item']
const byType = <Type extends Item['type']>(type: Type) =>
  items.filter((item): item is Extract<Item, { type: Type }> => item.type === type)

describe('run time', () => {
  const runTimes = byType('benchwatch.runtime.measured')

  it('is reported once for each day, the first one complete, and at the end for the current one', () => {
    const days = new Map<string, string[]>()
    for (const { subject, data } of runTimes) days.set(subject, [...(days.get(subject) ?? []), data.day])
    for (const { installedProductId, timeZone } of postings) {
      const told = days.get(installedProductId) ?? []
      expect(told.length).toBeGreaterThanOrEqual(29)
      // If a day has just begun, the previous day comes first.
      expect(told.slice(0, 2)).toContain(dayAt(timeZone, from.getTime()))
      expect(told).toEqual([...new Set(told)].sort())
      expect(told.at(-1)).toBe(dayAt(timeZone, to.getTime()))
    }
  })

  it('is the time in statuses in which the instrument works, by the clocks of the site', () => {
    const working = new Set(['running', 'method run', 'manual run', 'wash'])
    for (const { installedProductId, timeZone } of postings.slice(0, 25)) {
      const seconds = new Map<string, number>()
      const statuses = byType('benchwatch.status.changed').filter(({ subject }) => subject === installedProductId)
      statuses.forEach(({ time, data }, index) => {
        if (!working.has(data.instrumentStatus)) return
        const end = Date.parse(statuses[index + 1]?.time ?? to.toISOString())
        for (let at = Date.parse(time); at < end; ) {
          const until = Math.min(end, midnight(timeZone, at, 'ends'))
          const day = dayAt(timeZone, at)
          seconds.set(day, (seconds.get(day) ?? 0) + (until - at) / 1000)
          at = until
        }
      })
      const told = runTimes.filter(({ subject }) => subject === installedProductId)
      // Statuses before the start of the history are unknown on its first day.
      for (const { data } of told.filter(({ data: { day } }) => day > dayAt(timeZone, from.getTime()))) {
        // One day has 25 hours, and the wire accepts 24.
        const expected = Math.min(86_400, seconds.get(data.day) ?? 0)
        // The current day is reported just before the history ends.
        const grain = data.day === dayAt(timeZone, to.getTime()) ? 3 : 1
        expect(Math.abs(Number(data.seconds) - expected)).toBeLessThanOrEqual(grain)
        expect(data.seconds).toBeLessThanOrEqual(86_400)
      }
    }
  })

  it('adds up to the weekly hours of the traits', () => {
    const far = new Date(to.getTime() - 70 * DAY)
    for (const type of ['AKTAPure', 'AKTAGo', 'Wave25', 'AKTAReady', 'BioProcessIC', 'UniFlux'] as const) {
      const machines = postings
        .filter(({ instrument }) => instrument.type === type)
        .map((posting) => new Machine(posting, { seed: 'measures', at: far.getTime() }))
      expect(machines.length).toBeGreaterThan(0)
      const before = machines.map((machine) => machine.workedMs(far.getTime()))
      for (const machine of machines) while (machine.nextAt < to.getTime()) machine.advance()
      const worked = machines.map((machine, index) => machine.workedMs(to.getTime()) - (before[index] ?? 0))
      const hours = worked.reduce((sum, each) => sum + each, 0) / machines.length / 10 / 3_600_000
      const ratio = hours / traitsByType[type].weeklyHours
      expect(ratio, type).toBeGreaterThan(0.75)
      expect(ratio, type).toBeLessThan(1.25)
    }
  })
})

describe('usage of components', () => {
  const samples = byType('benchwatch.usage.sampled')

  it('is reported for every component of the type, each day of the last fortnight and once a week before', () => {
    for (const { installedProductId, instrument } of postings) {
      const mine = samples.filter(({ subject }) => subject === installedProductId)
      const late = mine.filter(({ time }) => Date.parse(time) >= to.getTime() - 14 * DAY)
      expect(late.length).toBeGreaterThanOrEqual(13)
      expect(late.length).toBeLessThanOrEqual(15)
      expect(mine.length - late.length).toBeGreaterThanOrEqual(1)
      expect(mine.length - late.length).toBeLessThanOrEqual(10)
      const names = componentsOf(instrument.type).map(({ component }) => component)
      for (const { data } of mine) expect(data.components.map(({ componentName }) => componentName)).toEqual(names)
    }
  })

  it('grows with the work and falls only where the part is replaced; days are counted down', () => {
    let replaced = 0
    for (const { installedProductId } of postings) {
      const mine = samples.filter(({ subject }) => subject === installedProductId)
      mine.forEach(({ data }, index) => {
        const before = mine[index - 1]?.data.components ?? []
        data.components.forEach((component, place) => {
          const earlier = before[place]
          if (!earlier) return
          const isSame = earlier.info[0]?.value === component.info[0]?.value
          if (!isSame) replaced++
          component.usage.forEach(({ value, thresholdRule }, metric) => {
            const old = earlier.usage[metric]?.value
            if (value === null || old === null || old === undefined || !isSame) return
            if (thresholdRule === 'COUNT_DOWN') expect(value).toBeLessThanOrEqual(old)
            else expect(value).toBeGreaterThanOrEqual(old)
          })
        })
      })
    }
    expect(replaced).toBeGreaterThan(20)
  })

  it('has every rule, values below and above their thresholds, and a metric without value', () => {
    const usage = samples.flatMap(({ data }) => data.components.flatMap((component) => component.usage))
    expect(new Set(usage.map(({ thresholdRule }) => thresholdRule))).toEqual(new Set(thresholdRules))
    expect(usage.some(({ value }) => value === null)).toBe(true)
    const worn = usage.filter(
      ({ thresholdRule }) => thresholdRule === 'MAXIMUM_USAGE' || thresholdRule === 'HIGH_SAFE_USAGE',
    )
    const shares = worn.flatMap(({ value, thresholdValues }) =>
      value === null ? [] : [value / (thresholdValues.at(-1) ?? 1)],
    )
    expect(shares.some((share) => share < 0.1)).toBe(true)
    expect(shares.filter((share) => share >= 1).length / shares.length).toBeLessThan(0.2)
    expect(shares.filter((share) => share >= 1).length).toBeGreaterThan(0)
    expect(shares.every((share) => share >= 0)).toBe(true)
  })

  it('is known from posting and instant, also when the machine has left its weeks for a livelier pace', () => {
    const [posting] = postings
    if (!posting) throw new Error('The fleet is empty.')
    const at = to.getTime()
    const early = new Machine(posting, { seed: 'measures', at: at - 9 * DAY })
    while (early.nextAt < at) early.advance()
    const late = new Machine(posting, { seed: 'measures', at })
    const live = new Machine(posting, { seed: 'measures', at: at - 3_600_000 })
    live.changePace(livelyPace(1), at - 3_600_000)
    const expected = usageAt(posting, at, early.weekSoFar(at))
    expect(usageAt(posting, at, late.weekSoFar(at))).toEqual(expected)
    expect(usageAt(posting, at, live.weekSoFar(at))).toEqual(expected)
  })

  it('starts again on the day of the last service in the registry', () => {
    const pumps = postings.flatMap((posting) => {
      const [first] = usageAt(
        posting,
        to.getTime(),
        new Machine(posting, { seed: 'a', at: to.getTime() }).weekSoFar(to.getTime()),
      )
      const replaced = componentsOf(posting.instrument.type)[0]?.replaced
      const isEach = replaced && 'services' in replaced && replaced.services === 1
      const installed = first?.details.find(({ metric }) => metric === 'Installed on')?.value
      return isEach && posting.instrument.lastService ? [[installed, posting.instrument.lastService]] : []
    })
    expect(pumps.length).toBeGreaterThan(20)
    for (const [installed, lastService] of pumps) expect(installed).toBe(lastService)
  })
})

describe('computers', () => {
  const changes = byType('benchwatch.clients.changed')

  it('are reported for each instrument at the beginning, with UNICORN if it controls the instrument', () => {
    for (const { installedProductId, instrument } of postings) {
      const first = changes.find(({ subject }) => subject === installedProductId)
      expect(first?.time).toBe(from.toISOString())
      const { led } = traitsByType[instrument.type]
      if (led === 'UNICORN') expect(first?.data.unicornVersion).toMatch(/^7\.\d+$/)
      else expect(first?.data).not.toHaveProperty('unicornVersion')
      expect(first?.data.clientPcNames).toHaveLength(led === 'culture' ? 0 : (first?.data.clientPcNames.length ?? -1))
      for (const name of first?.data.clientPcNames ?? []) expect(name).toMatch(/^(?:[A-Z]+-[A-Z]+-)?PC-?\d{3}$/)
    }
  })

  it('change now and then: a client PC is replaced, or UNICORN is upgraded and never goes back', () => {
    const year = postings.map((posting) => {
      const reporter = new Reporter(posting, { seed: 'a', at: to.getTime() - 400 * DAY, usageEvery: () => 400 * DAY })
      return {
        first: reporter.clients(),
        last: new Reporter(posting, { seed: 'a', at: to.getTime(), usageEvery: () => DAY }).clients(),
      }
    })
    const minor = (emission: ReturnType<Reporter['clients']>) =>
      emission.type === 'benchwatch.clients.changed' ? Number(emission.data.unicornVersion?.split('.')[1] ?? 0) : 0
    expect(year.some(({ first, last }) => minor(last) > minor(first))).toBe(true)
    expect(year.filter(({ first, last }) => minor(last) < minor(first))).toEqual([])
    expect(year.some(({ first, last }) => minor(first) === minor(last) && first !== last)).toBe(true)
  })

  it('report their networks as valid JSON, except on a few instruments', () => {
    const all = postingsOf(aFleet({ seed: 'networks', instruments: 400 })).flatMap((posting) => {
      const emission = new Reporter(posting, { seed: 'a', at: to.getTime(), usageEvery: () => DAY }).clients()
      if (emission.type !== 'benchwatch.clients.changed') return []
      return emission.data.unicornNetworkConfigurations ?? []
    })
    const unreadable = all.filter((text) => {
      try {
        const cards = JSON.parse(text) as { name: string; ip: string; dhcpEnabled: boolean }[]
        return !cards.every(
          ({ name, ip, dhcpEnabled }) => name && /^\d+\.\d+\.\d+\.\d+$/.test(ip) && dhcpEnabled !== undefined,
        )
      } catch {
        return true
      }
    })
    expect(all.length).toBeGreaterThan(300)
    expect(unreadable.length).toBeGreaterThan(0)
    expect(unreadable.length).toBeLessThan(20)
  })
})
