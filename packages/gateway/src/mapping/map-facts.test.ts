import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { mapFacts, messageName } from './map-facts.ts'
import { mappedSource } from './rules.ts'

const received = new Date('2026-11-20T14:02:23.000Z')
const mapping = z.strictObject(mappedSource)

function map(rules: unknown[], facts: Record<string, unknown>, tables: Record<string, Record<string, string>> = {}) {
  return mapFacts(mapping.parse({ name: 'test', tables, rules }), facts, received)
}

const condition = {
  kind: 'condition',
  instrument: 'IP-20431187',
  sourceName: 'TempSensor1',
  conditionName: 'TempHigh',
  severity: 750,
  message: 'Too warm',
  active: true,
  key: 'ns=2;i=7',
  time: '2026-11-20T14:00:00.000Z',
}

describe('a mapping', () => {
  const words = { words: { '>= 700': 'high', '>= 300': 'medium', '*': 'low' } }
  const raise = {
    template: 'LADS-{conditionName}',
    component: '{sourceName}',
    severity: '{severity|words}',
    description: '{message}',
  }

  it('takes the first rule that matches, and says when none does', () => {
    const rules = [
      { when: { sourceName: 'Humidity*' }, ignore: true },
      { when: { sourceName: 'tempsensor?', severity: '>= 500' }, raise },
      { raise: { ...raise, component: 'anything' } },
    ]
    expect(map(rules, condition, words)).toMatchObject({ rule: 1, outcomes: [{ componentName: 'TempSensor1' }] })
    expect(map(rules, { ...condition, severity: 499 }, words)).toMatchObject({
      rule: 2,
      outcomes: [{ componentName: 'anything', severity: 'medium' }],
    })
    expect(map(rules.slice(0, 2), { ...condition, severity: 499 }, words)).toEqual({
      rule: null,
      outcomes: [],
      faults: [],
    })
  })

  it('raises while a condition is active and clears the same key when it is not', () => {
    const [raised] = map([{ raise }], condition, words).outcomes
    expect(raised).toEqual({
      kind: 'raise',
      instrument: 'IP-20431187',
      time: new Date('2026-11-20T14:00:00.000Z'),
      key: 'ns=2;i=7',
      templateId: 'LADS-TempHigh',
      alertType: 1,
      componentName: 'TempSensor1',
      severity: 'high',
      description: 'Too warm',
    })
    expect(map([{ raise }], { ...condition, active: false, message: null }, words).outcomes).toEqual([
      { kind: 'clear', instrument: 'IP-20431187', time: new Date('2026-11-20T14:00:00.000Z'), key: 'ns=2;i=7' },
    ])
    const byField = [{ raise: { ...raise, while: { severity: '> 0' } } }]
    expect(map(byField, { ...condition, severity: 0 }, words).outcomes).toMatchObject([{ kind: 'clear' }])
  })

  it.each([Number.NaN, 'Infinity', '-12,5', 'n/a', '', null, undefined])(
    'neither raises nor clears where %j is compared as a number, and says so',
    (value) => {
      const freezer = [{ raise: { ...raise, while: { value: ['> -60', '< -90'] } } }]
      expect(map(freezer, { ...condition, value: -95 }, words).outcomes).toMatchObject([{ kind: 'raise' }])
      expect(map(freezer, { ...condition, value: '-75.5' }, words).outcomes).toMatchObject([{ kind: 'clear' }])
      expect(map(freezer, { ...condition, value }, words)).toEqual({
        rule: 0,
        outcomes: [],
        faults: [expect.stringMatching(/^Rule 1, raise: 'value' (is '.*', which is not a number|is missing), so/)],
      })
    },
  )

  it('raises an alarm without the optional parts that can not be filled, and says so', () => {
    const given = { ...raise, description: '{text}', userMessage: '{hint}', severity: '{severity|words}' }
    const { outcomes, faults } = map(
      [{ raise: given }],
      { ...condition, severity: null },
      { words: { '>= 700': 'high' } },
    )
    expect(outcomes).toMatchObject([{ kind: 'raise', templateId: 'LADS-TempHigh' }])
    for (const part of ['severity', 'description', 'userMessage']) expect(outcomes[0]).not.toHaveProperty(part)
    expect(faults).toEqual([
      "Rule 1, severity: The table 'words' has no entry for 'an absent value'.",
      "Rule 1, description: The message has no 'text'.",
      "Rule 1, userMessage: The message has no 'hint'.",
    ])
    expect(
      map([{ raise: { ...raise, severity: '{severity}' } }], { ...condition, severity: 'critical' }),
    ).toMatchObject({
      outcomes: [{ kind: 'raise' }],
      faults: ["Rule 1, severity: 'critical' is none of high, medium, low."],
    })
  })

  it('always derives the same template id from the same name', () => {
    const idOf = (conditionName: string) => map([{ raise }], { ...condition, conditionName }, words).outcomes[0]
    expect(idOf('TempHigh')).toMatchObject({ templateId: 'LADS-TempHigh' })
    expect(idOf('O₂ > 20 %')).toMatchObject({ templateId: 'LADS-O2_20_79a40373' })
    expect(idOf('Temp-High')).toMatchObject({ templateId: 'LADS-Temp-High' })
    expect(idOf('1042')).toMatchObject({ templateId: 'LADS-1042' })
  })

  it('reads nested fields by dots and by JSON pointers, also with dots in keys', () => {
    const log = { type: 'EVENT', message: '{/json/a.b/0}', level: '{log.level}', eventCode: '{event.code?}' }
    const facts = { instrument: 'IP-1', json: { 'a.b': ['first'] }, log: { level: 'warn' }, 'event.code': 7 }
    expect(map([{ log }], facts)).toMatchObject({
      outcomes: [{ kind: 'log', line: { message: 'first', level: 'warn', eventCode: '7' } }],
      faults: [],
    })
  })

  it('says what there is in the place of a nested field that is absent', () => {
    const faultOf = (row: object) => map([{ instrument: '{row.Instrument}', status: 'ready' }], { row }).faults
    const missing = "Rule 1, instrument: The message has no 'row.Instrument'"
    expect(faultOf({ 'Time;Instrument': '2026-11-28;IP-1' })).toEqual([`${missing}, only Time;Instrument.`])
    expect(faultOf({})).toEqual([`${missing}.`])
    expect(faultOf({ ['x'.repeat(300)]: '' })).toEqual([`${missing}, only ${'x'.repeat(200)}….`])
  })

  it('keeps an inherited property of JavaScript out', () => {
    expect(map([{ when: { constructor: '*' }, ignore: true }], { instrument: 'IP-1' }).rule).toBe(null)
    const { faults } = map([{ log: { type: 'EVENT', message: '{toString}' } }], { instrument: 'IP-1' })
    expect(faults).toEqual(["Rule 1, log: The message has no 'toString'."])
  })

  it('takes the run of a status from a rule or from the field, and an empty one as none', () => {
    const told = (rule: object, facts: object) => map([rule], { instrument: 'IP-1', ...facts }).outcomes
    expect(told({ status: 'ready', run: '{/json/lot.no}' }, { json: { 'lot.no': 7 } })).toMatchObject([
      { kind: 'status', status: 'ready', run: '7' },
    ])
    expect(told({ status: 'method run' }, { run: 'R-7' })).toMatchObject([{ status: 'method run', run: 'R-7' }])
    expect(told({ status: 'ready' }, { run: null })).toMatchObject([{ status: 'ready', run: '' }])
    expect(told({ status: 'ready' }, {})[0]).toMatchObject({ run: undefined })
    expect(told({ run: '{value}' }, { value: 'R-8' })[0]).toMatchObject({ kind: 'status', run: 'R-8' })
    expect(told({ run: '{value}' }, { value: 'R'.repeat(999) })[0]).toMatchObject({ run: `${'R'.repeat(199)}…` })
  })

  it('reports which parts of a message it cannot map, and maps the others', () => {
    const rules = [
      {
        time: '{at}',
        status: '{state}',
        log: { type: 'EVENT', message: '{text}' },
        usage: { component: 'Pump', metric: 'Runs', value: '{runs}' },
      },
    ]
    const { outcomes, faults } = map(rules, {
      instrument: 'IP-1',
      at: 'soon',
      state: 'asleep',
      text: 'on',
      runs: Number.NaN,
    })
    expect(outcomes).toMatchObject([{ kind: 'log', line: { message: 'on', timestamp: received.toISOString() } }])
    expect(faults).toEqual([
      "Rule 1, time: 'soon' is not a time. The time of receipt was taken.",
      expect.stringMatching(/^Rule 1, status: 'asleep' is none of ready, running, /),
      "Rule 1, usage: 'NaN' is not a number.",
    ])
    expect(map(rules, { at: 0, state: 'ready' }).faults).toEqual([
      "Rule 1, instrument: The message has no 'instrument'.",
    ])
    expect(map(rules, { instrument: 'no such/id' }).faults).toEqual([
      "Rule 1, instrument: 'no such/id' is not an installed product id.",
    ])
  })

  it.each([
    ['1763647200', '2025-11-20T14:00:00.000Z'],
    ['1763647200123', '2025-11-20T14:00:00.123Z'],
    [1763647200, '2025-11-20T14:00:00.000Z'],
    ['2025-11-20T15:00:00+01:00', '2025-11-20T14:00:00.000Z'],
    ['2025-11-20 14:00:00,5Z', '2025-11-20T14:00:00.500Z'],
    ['2025-11-20T14:00:00', new Date(2025, 10, 20, 14).toISOString()],
    ['2025/11/20 14:00', new Date(2025, 10, 20, 14).toISOString()],
  ])('takes %j as the time %s', (time, iso) => {
    const { outcomes, faults } = map([{ raise }], { ...condition, time }, words)
    expect([outcomes[0], faults]).toMatchObject([{ time: new Date(iso) }, []])
  })

  it.each([
    ['day-first', '05.11.2026 10:00', new Date(2026, 10, 5, 10)],
    ['day-first', '5/11/26, 10:00:30,5', new Date(2026, 10, 5, 10, 0, 30, 500)],
    ['day-first', '05-11-2026T10:00:00Z', new Date('2026-11-05T10:00:00Z')],
    ['month-first', '11/5/2026 12:05:09 AM', new Date(2026, 10, 5, 0, 5, 9)],
    ['month-first', '11/05/2026 1:05 pm +01', new Date('2026-11-05T12:05:00Z')],
    ['month-first', '2026-11-05 10:00', new Date(2026, 10, 5, 10)],
  ] as const)('takes a source that writes dates %s at its word: %j', (dates, time, instant) => {
    const { outcomes, faults } = mapFacts(
      mapping.parse({ name: 'test', tables: words, rules: [{ raise }], dates }),
      { ...condition, time },
      received,
    )
    expect([outcomes[0], faults]).toMatchObject([{ time: instant }, []])
  })

  it.each([
    ['Europe/Berlin', '2026-10-25 02:30', '00:31', '00:30'],
    ['Europe/Berlin', '2026-10-25 02:30', '01:29', '01:30'],
    ['Europe/Berlin', '2026-10-25 01:30', '01:31', '23:30'],
    ['Europe/Berlin', '2026-03-29 02:30', '01:31', '01:30'],
    ['Australia/Lord_Howe', '2026-04-05 01:45', '14:46', '14:45'],
    ['Australia/Lord_Howe', '2026-04-05 01:45', '15:14', '15:15'],
  ])('takes the hour that comes twice in %s by the time of receipt: %s at %s', (zone, time, at, told) => {
    vi.stubEnv('TZ', zone)
    const day = new Date(time).toISOString().slice(0, 10)
    const given = mapping.parse({ name: 'test', tables: words, rules: [{ raise }] })
    const { outcomes } = mapFacts(given, { ...condition, time }, new Date(`${day}T${at}:00Z`))
    vi.unstubAllEnvs()
    expect(outcomes).toMatchObject([{ time: new Date(`${day}T${told}:00Z`) }])
  })

  it.each(['13/13/2026', '31.02.2026 10:00', '05.11', '5.11.026', '5.11.6', '05.11.2026 25:00'])(
    'finds no time in %j, whatever the order of its date',
    (time) => {
      const given = mapping.parse({ name: 'test', tables: words, rules: [{ raise }], dates: 'day-first' })
      expect(mapFacts(given, { ...condition, time }, received).faults).toHaveLength(1)
    },
  )

  it.each(['05/11/2026 10:00', '5.11.2026', 'Nov 5 10:00', '7', '12:30', '2026-11-31T25:00:00'])(
    'does not guess which time %j is',
    (time) => {
      const { outcomes, faults } = map([{ raise }], { ...condition, time }, words)
      expect(outcomes).toMatchObject([{ kind: 'raise', time: received }])
      const advice = /^\d\d?[-./]/.test(time) ? ' Set dates to day-first or month-first.' : ''
      expect(faults).toEqual([`Rule 1, time: '${time}' is not a time. The time of receipt was taken.${advice}`])
    },
  )

  it('cuts texts of any length to what the server takes', () => {
    const { outcomes, faults } = map([{ raise: { template: 'X-1', component: '{text}', description: '{text}' } }], {
      instrument: 'IP-1',
      text: 'ä\u0000'.repeat(50_000),
    })
    expect(faults).toEqual([])
    expect(outcomes[0]).toMatchObject({ componentName: expect.stringMatching(/^(ä\ufffd)+ä?…$/) })
    expect((outcomes[0] as { description: string }).description).toHaveLength(10_000)
  })

  it('takes conditions on numbers, texts, booleans, lists, and absent fields', () => {
    const rule = (when: object) => [{ when, ignore: true }]
    const isMatch = (when: object, facts: object) => map(rule(when), { ...facts }).rule === 0
    expect(isMatch({ n: 5 }, { n: '5' })).toBe(true)
    expect(isMatch({ n: '< 5' }, { n: 4.5 })).toBe(true)
    expect(isMatch({ n: '>= 5' }, { n: 'warm' })).toBe(false)
    expect(isMatch({ n: '>= 5' }, { n: Number.NaN })).toBe(false)
    expect(isMatch({ s: '!= ok' }, { s: 'bad' })).toBe(true)
    expect(isMatch({ s: ['warn', 'err*'] }, { s: 'Error' })).toBe(true)
    expect(isMatch({ s: 'a.c' }, { s: 'abc' })).toBe(false)
    expect(isMatch({ s: null }, {})).toBe(true)
    expect(isMatch({ s: true }, { s: 'True' })).toBe(true)
    expect(isMatch({ s: true }, { s: 'yes' })).toBe(false)
    // A pattern that makes a backtracking regular expression run for minutes.
    expect(isMatch({ s: `${'a*'.repeat(40)}b` }, { s: 'a'.repeat(20_000) })).toBe(false)
  })
})

it.each([
  [{ kind: 'condition', conditionName: 'Door open', sourceName: 'Freezer' }, 'conditionName', 'Door open'],
  [{ topic: 'lab/1/alarm', topic1: 'lab', text: '{}' }, 'topic', 'lab/1/alarm'],
  [{ path: '/hook', labels: { alertname: 'Too warm' } }, 'labels.alertname', 'Too warm'],
  [{ to: 'ip@lab', subject: ' Alarm ' }, 'subject', 'Alarm'],
  [{ subject: '', path: '/hook' }, 'path', '/hook'],
  [{ topic: 'x'.repeat(300) }, 'topic', `${'x'.repeat(199)}…`],
])('names the message %j by its field %s', (facts, field, name) => {
  expect(messageName(facts)).toEqual({ field, name })
})

it('has no name for a message without any of the fields', () => {
  expect(messageName({ json: { topic: 1 } })).toBeNull()
})
