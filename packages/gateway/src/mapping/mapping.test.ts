import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { MemoryOutbox } from '../testing/memory-outbox.ts'
import { type RunningMapping, startMapping } from './mapping.ts'
import { mappedSource } from './rules.ts'

const MINUTE = 60_000
const start = Date.parse('2026-11-20T14:00:00.000Z')
const schema = z.strictObject(mappedSource)
const raise = { template: 'SKID-1042', component: '{part}', description: '{text?}' }

let disk: MemoryOutbox
let running: RunningMapping[]

function begin(rules: unknown[], more: object = {}): RunningMapping {
  const mapping = startMapping(schema.parse({ name: 'skids', rules, ...more }), disk.context())
  running.push(mapping)
  return mapping
}

beforeEach(() => {
  vi.useFakeTimers({ now: start })
  disk = new MemoryOutbox()
  running = []
})
afterEach(async () => {
  await Promise.all(running.map((mapping) => mapping.stop()))
  vi.useRealTimers()
})

const alarm = (part: string, active = true) => ({ instrument: 'IP-1', key: part, part, active })

describe('alarms of a source', () => {
  it('are reported when they begin and when they end, however often they are repeated', async () => {
    const mapping = begin([{ raise }])
    for (const active of [false, true, true, true, false, false, true]) await mapping.take([alarm('pump', active)])
    expect(disk.told()).toEqual(['raised pump', 'alarm.cleared', 'raised pump'])
    const [first, cleared, second] = disk.reports as { data: { alertId: string } }[]
    expect(cleared?.data.alertId).toBe(first?.data.alertId)
    // The same instant of the same alarm: it is delivered again.
    expect(second?.data.alertId).toBe(first?.data.alertId)
  })

  it('are known after a restart: nothing is raised twice, and what is over is cleared', async () => {
    const before = begin([{ raise }])
    await before.take([alarm('pump'), alarm('valve')])
    await before.stop()
    const mapping = begin([{ raise }])
    await mapping.take([alarm('pump')])
    expect(disk.reports).toHaveLength(2)
    await mapping.clearWhere((key) => key !== 'pump')
    expect(disk.told()).toEqual(['raised pump', 'raised valve', 'alarm.cleared'])
  })

  const door = { instrument: 'IP-1', part: 'door', level: 8, at: new Date(start), count: 7n }
  const whileHigh = { ...raise, component: 'Door', while: { level: '> 5' } }

  it.each([
    ['is removed', [{ ignore: true }]],
    ['has another component', [{ raise: { ...whileHigh, component: 'Lid' } }]],
    ['has another instrument', [{ instrument: 'IP-2', raise: whileHigh }]],
    ['takes fewer messages', [{ when: { part: 'lid' }, raise: whileHigh }]],
  ])('end at the next start if their rule %s, and say so in the log of the instrument', async (_, rules) => {
    const before = begin([{ raise: whileHigh }])
    await before.take([door])
    await before.stop()
    await begin(rules).stop()
    await begin(rules).stop()
    expect(disk.told()).toEqual(['raised Door', 'alarm.cleared', 'log.appended'])
    expect(disk.reports.at(-1)).toMatchObject({
      subject: 'IP-1',
      data: { lines: [{ message: expect.stringContaining('returned the alarm SKID-1042 Door to normal') }] },
    })
  })

  it.each([
    ['another limit', { ...whileHigh, while: { level: '> 9' } }],
    ['other texts', { ...whileHigh, component: '{place}', key: 'SKID-1042 Door', severity: 'low' }],
    ['a field that the message lacks', { ...whileHigh, component: '{place}' }],
  ])('stay open if their rule gets %s', async (_, changed) => {
    const before = begin([{ raise: whileHigh }])
    await before.take([door])
    await before.stop()
    await begin([{ raise: changed }]).stop()
    expect(disk.told()).toEqual(['raised Door'])
  })

  it('are reported again by the repeated message when the first could not be written', async () => {
    const mapping = begin([{ raise }])
    disk.isFull = true
    await expect(mapping.take([alarm('pump')])).rejects.toThrow('No space left')
    disk.isFull = false
    await mapping.take([alarm('pump')])
    expect(disk.told()).toEqual(['raised pump'])
    disk.isFull = true
    await expect(mapping.take([alarm('pump', false)])).rejects.toThrow('No space left')
    disk.isFull = false
    await mapping.take([alarm('pump', false)])
    expect(disk.told()).toEqual(['raised pump', 'alarm.cleared'])
  })

  it('are on or over as their messages say in the order in which they came first, in which senders do not repeat them', async () => {
    const mapping = begin([{ raise }])
    const message = (id: string, active = true) => ({ ...alarm('pump', active), id, repeated: true })
    disk.isFull = true
    await expect(mapping.take([message('1')])).rejects.toThrow('No space left')
    await mapping.take([message('2', false)])
    disk.isFull = false
    await mapping.take([message('1')])
    expect(disk.told()).toEqual(['raised pump', 'alarm.cleared'])
    await mapping.take([message('3')])
    disk.isFull = true
    await expect(mapping.take([message('4', false)])).rejects.toThrow('No space left')
    await mapping.take([message('5')])
    disk.isFull = false
    await mapping.take([message('4', false)])
    expect(disk.told()).toEqual(['raised pump', 'alarm.cleared', 'raised pump'])
  })

  it('that end, or begin again, in a message that could not be written are reported when it is repeated', async () => {
    const mapping = begin([{ raise }])
    const onAndOff = [alarm('pump'), alarm('pump', false)]
    disk.isFull = true
    await expect(mapping.take(onAndOff)).rejects.toThrow('No space left')
    disk.isFull = false
    await mapping.take([...onAndOff, alarm('pump')])
    expect(disk.told()).toEqual(['raised pump', 'alarm.cleared', 'raised pump'])
    const offAndOn = [alarm('pump', false), alarm('pump')]
    disk.isFull = true
    await expect(mapping.take(offAndOn)).rejects.toThrow('No space left')
    disk.isFull = false
    await mapping.take(offAndOn)
    expect(disk.told().slice(3)).toEqual(['alarm.cleared', 'raised pump'])
  })

  it('without an end return to normal at once, or after a time that a repeat prolongs and a restart keeps', async () => {
    const momentary = begin([{ raise: { ...raise, autoClear: '0s' } }])
    await momentary.take([alarm('door'), alarm('door')])
    expect(disk.told()).toEqual(['raised door', 'alarm.cleared', 'raised door', 'alarm.cleared'])
    expect(disk.notes.size).toBe(0)
    await momentary.stop()
    disk.reports.length = 0
    const rules = [{ raise: { ...raise, autoClear: '10m' } }]
    const first = begin(rules)
    await first.take([alarm('door')])
    await vi.advanceTimersByTimeAsync(8 * MINUTE)
    await first.take([alarm('door')])
    await first.stop()
    begin(rules)
    await vi.advanceTimersByTimeAsync(9 * MINUTE)
    expect(disk.told()).toEqual(['raised door'])
    await vi.advanceTimersByTimeAsync(MINUTE + 1000)
    expect(disk.told()).toEqual(['raised door', 'alarm.cleared'])
  })

  it.each(['1970-01-01', '2026-11-20T13:00', '2027-01-01'])(
    'without an end return to normal after their time when the clock is set to %s',
    async (time) => {
      const rules = [{ raise: { ...raise, autoClear: '10m' } }]
      const first = begin(rules)
      await first.take([alarm('door'), alarm('lid')])
      vi.setSystemTime(Date.parse(time))
      await vi.advanceTimersByTimeAsync(9 * MINUTE)
      expect(disk.told()).toEqual(['raised door', 'raised lid'])
      await first.take([alarm('lid')])
      await vi.advanceTimersByTimeAsync(MINUTE + 1000)
      expect(disk.told()).toEqual(['raised door', 'raised lid', 'alarm.cleared'])
      await first.stop()
      vi.setSystemTime(0)
      begin(rules)
      await vi.advanceTimersByTimeAsync(10 * MINUTE)
      expect(disk.told()).toEqual(['raised door', 'raised lid', 'alarm.cleared', 'alarm.cleared'])
    },
  )

  it('without an end are reported once by their id, also after a restart, unless they are certainly new', async () => {
    const rules = [{ raise: { ...raise, autoClear: '0s' } }]
    const first = begin(rules)
    await first.take([
      { ...alarm('door'), id: '1' },
      { ...alarm('door'), id: '1' },
    ])
    await first.stop()
    const second = begin(rules)
    await second.take([
      { ...alarm('door'), id: '1' },
      { ...alarm('door'), id: '1', repeated: false },
    ])
    expect(disk.told()).toEqual(['raised door', 'alarm.cleared', 'raised door', 'alarm.cleared'])
  })

  it('do not change by a message that is delivered again after newer ones, unless its first delivery failed', async () => {
    const mapping = begin([{ raise }])
    const first = { ...alarm('pump'), id: '1', repeated: true }
    const over = { ...alarm('pump', false), id: '2', repeated: true }
    await mapping.take([first])
    await mapping.take([over])
    await mapping.take([first])
    expect(disk.told()).toEqual(['raised pump', 'alarm.cleared'])
    await mapping.take([{ ...first, id: '3' }])
    await mapping.take([over])
    expect(disk.told()).toEqual(['raised pump', 'alarm.cleared', 'raised pump'])
    disk.isFull = true
    await expect(mapping.take([{ ...over, repeated: false }])).rejects.toThrow('No space left')
    disk.isFull = false
    await mapping.take([over])
    expect(disk.told().at(-1)).toBe('alarm.cleared')
  })

  it('from messages that no rule matches or that cannot be read are counted and stop nothing', async () => {
    const mapping = begin([{ when: { part: 'pump' }, raise }])
    await mapping.take([alarm('valve'), { part: 'pump' }, alarm('pump')])
    expect(disk.counts).toEqual({ unmatched: 1, faulty: 1 })
    expect(disk.told()).toEqual(['raised pump'])
  })
})

it('a repeat is acknowledged no earlier than the alarm itself', async () => {
  const first = Promise.withResolvers<void>()
  const context = disk.context({ report: () => first.promise })
  const mapping = startMapping(schema.parse({ name: 'skids', rules: [{ raise }] }), context)
  running.push(mapping)
  const taken = [mapping.take([alarm('pump')]), mapping.take([alarm('pump')])]
  first.reject(new Error('No space left on device'))
  for (const one of await Promise.allSettled(taken)) expect(one.status).toBe('rejected')
})

describe('a storm of alarms', () => {
  it('of 10,000 in a minute becomes a bounded number of items that say how many there were', async () => {
    const mapping = begin([{ raise }], { alarmsPerMinute: 50 })
    for (let index = 0; index < 10_000; index++) {
      await mapping.take([{ ...alarm(`part ${index}`), text: `Part ${index} is hot` }])
      if (index % 200 === 0) await vi.advanceTimersByTimeAsync(1000)
    }
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(disk.reports).toHaveLength(51)
    expect(disk.reports.at(-1)).toMatchObject({
      subject: 'IP-1',
      data: {
        templateId: 'SKID-1042',
        componentName: 'Several components',
        count: 9950,
        description: expect.stringMatching(
          /^9950 alarms from 2026-.* to 2026-.* were merged .* The first said: Part 50 is hot$/,
        ),
      },
    })
    // It is open until its last member is over.
    for (let index = 0; index < 9_999; index++) await mapping.take([alarm(`part ${index}`, false)])
    await vi.advanceTimersByTimeAsync(2 * MINUTE)
    expect(disk.reports).toHaveLength(101)
    await mapping.take([alarm('part 9999', false)])
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(disk.reports).toHaveLength(102)
    expect(disk.notes.size).toBe(0)
    const ids = disk.reports.map(({ data }) => (data as { alertId: string }).alertId)
    expect(ids.at(-1)).toBe(ids[50])
  })

  it('of momentary alarms ends after a quiet minute, and survives a restart', async () => {
    const rules = [{ raise: { ...raise, autoClear: '0s' } }]
    const first = begin(rules, { alarmsPerMinute: 2 })
    for (let index = 0; index < 500; index++) await first.take([alarm('door')])
    expect(disk.reports).toHaveLength(4)
    await first.stop()
    begin(rules, { alarmsPerMinute: 2 })
    await vi.advanceTimersByTimeAsync(MINUTE + 1000)
    expect(disk.reports.at(-1)).toMatchObject({ data: { count: 498 } })
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(disk.told().slice(4)).toEqual(['raised Several components', 'alarm.cleared'])
  })

  it('is reported a minute later where it could not be written', async () => {
    const mapping = begin([{ raise: { ...raise, autoClear: '0s' } }], { alarmsPerMinute: 2 })
    for (let index = 0; index < 10; index++) await mapping.take([alarm('door')])
    disk.isFull = true
    await vi.advanceTimersByTimeAsync(MINUTE)
    disk.isFull = false
    await vi.advanceTimersByTimeAsync(2 * MINUTE)
    expect(disk.told().slice(4)).toEqual(['raised Several components', 'alarm.cleared'])
    expect(disk.reports.at(-2)).toMatchObject({ data: { count: 8 } })
  })

  it('is reported although the clock was set back', async () => {
    const mapping = begin([{ raise: { ...raise, autoClear: '0s' } }], { alarmsPerMinute: 2 })
    for (let index = 0; index < 10; index++) await mapping.take([alarm('door')])
    vi.setSystemTime(start - 60 * MINUTE)
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(disk.reports.at(-1)).toMatchObject({ data: { count: 8 } })
  })

  it('of very many templates is merged further, for each instrument alone', async () => {
    const mapping = begin([{ raise: { ...raise, template: 'SKID-{code}' } }], { alarmsPerMinute: 10 })
    for (let code = 0; code < 500; code++)
      await mapping.take([{ ...alarm(`part ${code}`), code, instrument: code % 2 ? 'IP-1' : 'IP-2' }])
    await vi.advanceTimersByTimeAsync(MINUTE + 1000)
    const storms = disk.reports.slice(10)
    expect(storms.length).toBeLessThanOrEqual(12)
    expect(new Set(storms.map(({ subject }) => subject))).toEqual(new Set(['IP-1', 'IP-2']))
    const counts = storms.map(({ data }) => (data as { count: number }).count)
    expect(counts.reduce((sum, count) => sum + count)).toBe(490)
  })
})

describe('log lines', () => {
  it('are put together by instrument and log, and fit into items', async () => {
    const mapping = begin([{ log: { type: 'EVENT', message: '{text}' } }])
    await mapping.take(Array.from({ length: 450 }, (_, index) => ({ instrument: 'IP-1', text: `line ${index}` })))
    await mapping.take(Array.from({ length: 20 }, () => ({ instrument: 'IP-1', text: 'x'.repeat(100_000) })))
    const lines = disk.reports.map(({ data }) => (data as { lines: unknown[] }).lines.length)
    expect(lines.slice(0, 3)).toEqual([200, 200, 50])
    expect(lines.slice(3).reduce((sum, count) => sum + count)).toBe(20)
    for (const report of disk.reports) expect(JSON.stringify(report).length).toBeLessThan(1_000_000)
  })
})

describe('runs of a source', () => {
  const rules = [{ when: { kind: 'lot' }, run: '{lot?}' }, { status: '{state}' }]
  const lot = (text: string | null) => ({ instrument: 'IP-1', kind: 'lot', lot: text })
  const state = (text: string, more: object = {}) => ({ instrument: 'IP-1', state: text, ...more })
  const told = () => disk.statuses().map(({ data }) => [data.instrumentStatus, data.run])

  it('are reported with each status, even if status and run have separate messages', async () => {
    const mapping = begin(rules)
    await mapping.take([lot('L-1')])
    expect(told()).toEqual([])
    await mapping.take([state('method run')])
    await mapping.take([lot('L-2'), state('hold')])
    await mapping.take([lot(null)])
    expect(told()).toEqual([
      ['method run', 'L-1'],
      ['method run', 'L-2'],
      ['hold', 'L-2'],
      ['hold', ''],
    ])
  })

  it('are bounded by the clock that dates the alarms in them; how long an instrument is away, by that of the gateway', async () => {
    const mapping = begin(rules)
    const ahead = new Date('2099-01-01T00:00:00.000Z')
    await mapping.take([state('method run', { run: 'L-1', time: ahead.toISOString() })])
    await mapping.take([state('Unknown', { time: ahead.toISOString() })])
    // An old message that comes after an outage must not be placed before it.
    await mapping.take([state('hold', { time: '2001-01-01T00:00:00.000Z' })])
    await mapping.take([state('ready', { time: '2001-01-01T00:00:01.000Z' })])
    const statuses = disk.statuses()
    expect(statuses.map(({ data }) => data.at)).toEqual([
      ahead.toISOString(),
      undefined,
      undefined,
      '2001-01-01T00:00:01.000Z',
    ])
    for (const { time } of statuses) expect(time.getTime()).toBe(Date.now())
  })

  it('are remembered after a restart, until their end is reported', async () => {
    await begin(rules).take([lot('L-1'), state('method run')])
    const mapping = begin(rules)
    await mapping.take([state('hold')])
    await mapping.take([state('ready', { run: null })])
    await begin(rules).take([state('wash')])
    expect(told()).toEqual([
      ['method run', 'L-1'],
      ['hold', 'L-1'],
      ['ready', ''],
      ['wash', undefined],
    ])
  })

  it('end after a lost connection although the status is unknown', async () => {
    const mapping = begin(rules)
    await mapping.take([lot('L-1'), state('Unknown')])
    await mapping.take([lot(null)])
    expect(told()).toEqual([
      ['Unknown', 'L-1'],
      ['Unknown', ''],
    ])
  })

  it('are reported again with the repeated message if the first could not be written', async () => {
    const mapping = begin(rules)
    await mapping.take([state('ready')])
    disk.isFull = true
    await expect(mapping.take([lot('L-1')])).rejects.toThrow('No space left')
    disk.isFull = false
    await mapping.take([state('hold')])
    await mapping.take([lot('L-1')])
    expect(told()).toEqual([
      ['ready', undefined],
      ['hold', undefined],
      ['hold', 'L-1'],
    ])
  })
})
