import { ingestItem } from '@benchwatch/contract/ingest'
import { logTypes } from '@benchwatch/contract/vocabulary'
import { describe, expect, it } from 'vitest'
import { sampleNow } from '../clock.ts'
import { type InstrumentType, instrumentTypes } from '../equipment/instrument-type.ts'
import { traitsByType } from '../equipment/traits.ts'
import { aFleet } from '../fleet.ts'
import { simulateHistory } from './history.ts'
import { Machine } from './machine.ts'
import { postingsOf } from './postings.ts'

const DAY = 86_400_000
const to = sampleNow()
const from = new Date(to.getTime() - 14 * DAY)
const fleet = aFleet({ seed: 'history' })
const history = [...simulateHistory({ fleet, seed: 'history', from, to })]
const items = history.map(({ item }) => item)
const byType = <Type extends (typeof items)[number]['type']>(type: Type) =>
  items.filter((item): item is Extract<(typeof items)[number], { type: Type }> => item.type === type)

const raised = byType('benchwatch.alarm.raised')
const cleared = byType('benchwatch.alarm.cleared')
const logs = byType('benchwatch.log.appended')

describe('a history of 14 days', () => {
  it('contains nothing that ingest would refuse', () => {
    expect(items.filter((item) => !ingestItem.safeParse(item).success)).toEqual([])
  })

  it('has about 4,000 events and 125,000 log lines', () => {
    const events = new Set(raised.map(({ data }) => data.alertId)).size
    const lines = logs.reduce((sum, { data }) => sum + data.lines.length, 0)
    expect(events).toBeGreaterThan(3_200)
    expect(events).toBeLessThan(4_600)
    expect(lines).toBeGreaterThan(105_000)
    expect(lines).toBeLessThan(145_000)
  })

  it('has every type of instrument with its faults, and every type of log', () => {
    const types = new Map(fleet.instruments.map(({ key, input }) => [key, input.type]))
    expect(new Set(raised.map(({ subject }) => types.get(subject)))).toEqual(new Set(instrumentTypes))
    expect(new Set(logs.map(({ data }) => data.logType))).toEqual(new Set(logTypes))
    const strange = logs.filter(
      ({ subject, data }) => !traitsByType[types.get(subject) as InstrumentType].logs.includes(data.logType),
    )
    expect(strange).toEqual([])
  })

  it('is in order of time, from the first instant to before the last', () => {
    const times = items.map(({ time }) => time)
    expect(times).toEqual([...times].sort())
    expect(times[0]).toBe(from.toISOString())
    expect(times.at(-1)?.localeCompare(to.toISOString())).toBe(-1)
  })

  it('counts the items of each gateway one by one, under ids of one epoch', () => {
    const sequences = new Map<string, number>()
    const wrong = history.filter(({ gateway, item }) => {
      const sequence = (sequences.get(gateway) ?? 0) + 1
      sequences.set(gateway, sequence)
      return item.sequence !== sequence || item.source !== `/gateways/${gateway}` || !item.id.endsWith(`-${sequence}`)
    })
    expect(wrong).toEqual([])
    expect(new Set(items.map(({ id }) => id.slice(0, id.lastIndexOf('-')))).size).toBe(1)
  })

  it('comes from the gateway of each instrument, and begins with the status of each', () => {
    const gateways = new Map(fleet.instruments.map(({ key, input }) => [key, input.gateway]))
    expect(history.filter(({ gateway, item }) => gateways.get(item.subject) !== gateway)).toEqual([])
    const connected = [...gateways.values()].filter(Boolean).length
    const first = items.slice(0, connected)
    expect(first.every(({ type }) => type === 'benchwatch.status.changed')).toBe(true)
    expect(new Set(first.map(({ subject }) => subject)).size).toBe(connected)
  })

  it('raises only templates that are registered for the type', () => {
    const types = new Map(fleet.instruments.map(({ key, input }) => [key, input.type]))
    const templates = new Set(fleet.eventTemplates.map(({ key }) => key))
    const keys = new Set(raised.map(({ subject, data }) => `${types.get(subject)}/${data.templateId}`))
    expect([...keys].filter((key) => !templates.has(key))).toEqual([])
  })

  it('clears most alarms, leaves some open, and clears none that it has not raised', () => {
    const told = new Set(raised.map(({ data }) => data.alertId))
    expect(cleared.filter(({ data }) => !told.has(data.alertId))).toEqual([])
    expect(cleared.length / told.size).toBeGreaterThan(0.8)
    expect(told.size - cleared.length).toBeGreaterThan(50)
  })

  it('has alarms that are raised again while they are open, and some that arrive late', () => {
    expect(raised.length - new Set(raised.map(({ data }) => data.alertId)).size).toBeGreaterThan(300)
    const late = raised.filter(({ time, data }) => Date.parse(time) - Date.parse(data.logGeneratedAt) >= 3_600_000)
    expect(late.length).toBeGreaterThan(20)
    expect(late.length).toBeLessThan(200)
  })

  it('writes matching log lines: every raise is in the event log, and in each log that records alarms', () => {
    const keeps = new Map(fleet.instruments.map(({ key, input }) => [key, traitsByType[input.type].logs]))
    for (const logType of ['EVENT', 'AUDITTRAIL', 'VID'] as const) {
      const lines = new Set(
        logs
          .filter(({ data }) => data.logType === logType)
          .flatMap(({ subject, data }) => data.lines.map(({ eventCode }) => `${subject} ${eventCode}`)),
      )
      const raises = raised.filter(({ subject }) => keeps.get(subject)?.includes(logType))
      expect(raises.length).toBeGreaterThan(1_000)
      expect(raises.filter(({ subject, data }) => !lines.has(`${subject} ${data.templateId}`))).toEqual([])
    }
  })

  it('names a module in VID and COMM, the client PC in client logs, and who and where in the logs of Windows', () => {
    const linesOf = (...types: string[]) =>
      logs.filter(({ data }) => types.includes(data.logType)).flatMap(({ data }) => data.lines)
    expect(linesOf('VID', 'COMM').filter(({ module }) => !module)).toEqual([])
    expect(linesOf('UNICORNCLIENT').filter(({ hostname, userName }) => !hostname || !userName)).toEqual([])
    const windows = linesOf('WINDOWSSYSTEMEVENT')
    expect(windows.filter((line) => !line.level || !line.eventCode || !line.userName || !line.hostname)).toEqual([])
  })

  it('writes an alarm into several logs at its instant, with its causes before and its consequences after', () => {
    const told = new Map<string, { logType: string; at: number; message: string }[]>()
    for (const { subject, data } of logs) {
      const known = told.get(subject) ?? []
      told.set(subject, known)
      for (const line of data.lines)
        known.push({ logType: data.logType, at: Date.parse(line.timestamp), message: line.message })
    }
    const pressures = raised.filter(({ data }) => data.templateId === 'P9B-1042')
    const first = new Map(pressures.map((item) => [item.data.alertId, item] as const).toReversed())
    let withNotification = 0
    for (const { subject, data } of first.values()) {
      const alarm = Date.parse(data.logGeneratedAt)
      const lines = told.get(subject) ?? []
      const within = (logType: string, from: number, to: number) =>
        lines.filter((line) => line.logType === logType && line.at >= alarm + from && line.at < alarm + to)
      for (const logType of ['VID', 'AUDITTRAIL', 'EVENT', 'THRESHOLD', 'COMM']) {
        expect(within(logType, 0, 1), `${subject} ${logType}`).not.toEqual([])
      }
      const rising = within('VID', -120_000, 0).flatMap(({ message }) => {
        const reading = /pressure (\d+\.\d+) MPa/.exec(message)
        return reading ? [Number(reading[1])] : []
      })
      expect(rising.slice(-3), subject).toEqual(rising.slice(-3).toSorted((a, b) => a - b))
      if (within('INSTRUMENTSERVER', 0, 4000).some(({ message }) => message.startsWith('Notification')))
        withNotification += 1
    }
    expect(withNotification).toBeGreaterThan(first.size * 0.95)
  })

  it('has clients whose clock is a minute and a half ahead: the same notification is later in their log', () => {
    const shown = new Map<string, { at: number; client: string }>()
    const sent = new Map<string, number>()
    for (const { subject, data } of logs) {
      for (const { message, timestamp, hostname } of data.lines) {
        const number = /^Notification (\d+)/.exec(message)?.[1]
        if (number === undefined) continue
        const key = `${subject} ${number}`
        if (data.logType === 'UNICORNCLIENT') shown.set(key, { at: Date.parse(timestamp), client: hostname ?? '' })
        else sent.set(key, Date.parse(timestamp))
      }
    }
    const ahead = new Map<string, Set<number>>()
    for (const [key, { at, client }] of shown) {
      const seconds = Math.round((at - (sent.get(key) ?? Number.NaN)) / 1000)
      ahead.set(client, (ahead.get(client) ?? new Set()).add(seconds))
    }
    expect([...ahead.values()].filter(({ size }) => size > 1)).toEqual([])
    const clocks = [...ahead.values()].map(([seconds = 0]) => seconds)
    const fast = clocks.filter((seconds) => seconds > 1)
    expect(fast.filter((seconds) => seconds < 70 || seconds > 111)).toEqual([])
    expect(fast.length / clocks.length).toBeGreaterThan(0.15)
    expect(fast.length / clocks.length).toBeLessThan(0.35)
  })

  it('arrives a moment later, or when the gateway is online again, and in order for each gateway', () => {
    const last = new Map<string, Date>()
    let delayed = 0
    for (const { gateway, item, arrivedAt } of history) {
      const way = arrivedAt.getTime() - Date.parse(item.time)
      expect(way).toBeGreaterThan(0)
      expect(way).toBeLessThan(15 * 3_600_000)
      if (way >= 3_600_000) delayed++
      expect(arrivedAt.getTime()).toBeGreaterThanOrEqual(last.get(gateway)?.getTime() ?? 0)
      last.set(gateway, arrivedAt)
    }
    expect(delayed).toBeGreaterThan(50)
    expect(delayed).toBeLessThan(history.length / 20)
  })

  it('measures values in its descriptions', () => {
    const pressures = raised.filter(({ data }) => data.templateId === 'P9B-1042')
    expect(pressures.length).toBeGreaterThan(20)
    for (const { data } of pressures) {
      expect(data.description).toMatch(
        /^Pressure above limit, pump B \(P9-B\)\. Pre-column pressure \d\.\d MPa, limit \d\.\d MPa, during method run “[^”{]+”\.$/,
      )
    }
  })

  it('ends where a live run of the same seed begins: same statuses, same open alarms', () => {
    const open = new Set(raised.map(({ data }) => data.alertId))
    for (const { data } of cleared) open.delete(data.alertId)
    const statuses = new Map(
      byType('benchwatch.status.changed').map(({ subject, data }) => [subject, data.instrumentStatus]),
    )
    const machines = postingsOf(fleet).map((posting) => new Machine(posting, { seed: 'history', at: to.getTime() }))
    expect(new Set(machines.flatMap(({ openAlarms }) => openAlarms.map(({ alertId }) => alertId)))).toEqual(open)
    expect(new Map(machines.map(({ posting, status }) => [posting.installedProductId, status]))).toEqual(statuses)
  })

  it('is the same for the same seed', () => {
    const small = aFleet({ seed: 'history', instruments: 20 })
    const input = { fleet: small, seed: 'again', from: new Date(to.getTime() - 2 * DAY), to }
    expect([...simulateHistory(input)]).toEqual([...simulateHistory(input)])
  })
})
