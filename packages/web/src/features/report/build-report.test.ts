import type { ComponentUsage } from '@benchwatch/contract/instruments/usage'
import { seededTypes } from '@benchwatch/samples/equipment/instrument-type'
import { aListedInstrument } from '@benchwatch/samples/listed-instrument'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { describe, expect, it } from 'vitest'
import { buildReport } from './build-report.ts'
import type { Report, ReportBlock, ReportSource } from './report-model.ts'

const MADE_AT = Date.parse('2026-11-20T14:02:00Z')

function components(count: number): ComponentUsage[] {
  return Array.from({ length: count }, (_, number) => ({
    componentName: `Pump ${number} (P9-${number})`,
    usage: [
      {
        metric: 'Piston strokes',
        unit: 'strokes',
        value: 812,
        thresholdRule: 'MAXIMUM_USAGE',
        thresholdValues: [1000],
        usagePercentage: 81.2,
        usageColor: 'high',
        forecastDate: '2027-01-05',
      },
    ],
    info: [{ metric: 'Serial number', unit: null, value: '1840001' }],
    details: [{ metric: 'Pressure', unit: 'MPa', value: 5.25 }],
  }))
}

function source(more: Partial<ReportSource> = {}): ReportSource {
  return {
    reportType: 'fe',
    instrument: aListedInstrument(),
    types: seededTypes,
    events: {
      frequent: { 'P9B-1042': { event: aServiceEvent(), count: 12 }, 'UV-7': { event: aServiceEvent(), count: 3 } },
      recent: [aServiceEvent({ eventId: '104882', severity: 'low', alertStatus: '3_CLOSED' })],
    },
    runtimes: [{ time: '2026-11-20', value: 7200 }],
    components: components(6),
    author: { name: 'Sofia Lindqvist', email: 'sofia@benchwatch.example' },
    product: { name: 'Benchwatch', version: '2.12.2' },
    madeAt: MADE_AT,
    ...more,
  }
}

const names = ({ sections }: Report) => sections.map(({ name }) => name)

function blocks<Kind extends ReportBlock['kind']>(report: Report, kind: Kind) {
  return report.sections
    .flatMap((section) => section.blocks)
    .filter((block): block is Extract<ReportBlock, { kind: Kind }> => block.kind === kind)
}

describe('the sections of a report', () => {
  it('are in the order of the specification', () => {
    expect(names(buildReport(source()))).toEqual([
      'customer',
      'system',
      'events',
      'run-time',
      'components',
      'colour-key',
      'component-list',
      'about',
    ])
  })

  it('have events for field engineers alone', () => {
    expect(names(buildReport(source({ reportType: 'qs' })))).not.toContain('events')
  })

  it('have run time only when the flag allows it', () => {
    expect(names(buildReport(source({ runtimes: null })))).not.toContain('run-time')
  })

  it('have no components without their flags', () => {
    expect(names(buildReport(source({ components: null })))).toEqual([
      'customer',
      'system',
      'events',
      'run-time',
      'about',
    ])
  })

  it('begin with date and title, and end with who created the report and how confidential it is', () => {
    const { head, foot } = buildReport(source({ reportType: 'qs' }))
    expect(head).toEqual({
      title: 'System Report',
      subtitle: 'Qualification Services Report',
      instrument: 'ÄKTA pilot 600 · IP-20431187',
      date: '20-Nov-2026',
    })
    expect(foot.madeBy).toMatch(
      /^Created by Sofia Lindqvist \(sofia@benchwatch\.example\) on 20-Nov-2026 \d\d:\d\d, .+ with Benchwatch 2\.12\.2\.$/,
    )
    expect(foot.confidentiality).toMatch(/^Confidential\..*Helix Biologics/)
  })
})

it('the info box is about alarms, status and usage, log files, and the training that an account comes with', () => {
  const [points] = blocks(buildReport(source()), 'points')
  expect(points?.points.map(({ title }) => title)).toEqual(['Alarms', 'Status and usage', 'Log files', 'Your account'])
  expect(points?.points.at(-1)?.text).toMatch(/^Access to Benchwatch includes a short training course\./)
})

describe('components', () => {
  it('FE shows the first 4 components and lists all', () => {
    const report = buildReport(source())
    expect(blocks(report, 'components')[0]?.components.map(({ name }) => name)).toEqual([
      'Pump 0',
      'Pump 1',
      'Pump 2',
      'Pump 3',
    ])
    expect(report.sections.find(({ name }) => name === 'components')?.title).toBe('Component details (first 4 of 6)')
    expect(blocks(report, 'table').at(-1)?.rows).toHaveLength(6)
  })

  it('QS shows all components', () => {
    const report = buildReport(source({ reportType: 'qs' }))
    expect(blocks(report, 'components')[0]?.components).toHaveLength(6)
    expect(report.sections.find(({ name }) => name === 'components')?.title).toBe('Component details')
  })

  it('say their use in figures and words, with what else is known of them', () => {
    const [pump] = blocks(buildReport(source()), 'components')[0]?.components ?? []
    expect(pump).toMatchObject({
      name: 'Pump 0',
      module: 'P9-0',
      counters: [{ word: 'High', amount: '812 of 1,000 strokes', verdict: '81.2% MAX = 1,000' }],
      facts: [
        { name: 'Serial number', value: '1840001' },
        { name: 'Pressure', value: '5.25 MPa' },
      ],
    })
    expect(blocks(buildReport(source()), 'table').at(-1)?.rows[0]).toEqual([
      { text: '1' },
      { text: 'Pump 0', note: 'P9-0' },
      { text: '812 of 1,000 strokes', note: 'Piston strokes' },
      { text: 'High', mark: { kind: 'usage', usage: 'high' } },
      { text: '05-Jan-2027' },
    ])
  })

  it('come with the key of their colours, from normal to maximum', () => {
    const [key] = blocks(buildReport(source()), 'key')
    expect(key?.entries.map(({ usage, word }) => [usage, word])).toEqual([
      ['normal', 'Normal'],
      ['safety', 'Safety threshold'],
      ['high', 'High'],
      ['maximum', 'Maximum'],
      ['unknown', 'Unknown'],
    ])
  })

  it('need neither key nor list where none was reported', () => {
    const report = buildReport(source({ components: [] }))
    expect(names(report)).toEqual(['customer', 'system', 'events', 'run-time', 'components', 'about'])
    expect(blocks(report, 'text').map(({ text }) => text)).toContain(
      'No component usage was reported by this instrument.',
    )
  })

  it('are listed where nothing is counted of them', () => {
    const [rest] = components(1)
    const report = buildReport(
      source({ components: [{ ...rest, componentName: 'Frame', usage: [] } as ComponentUsage] }),
    )
    expect(
      blocks(report, 'table')
        .at(-1)
        ?.rows[0]?.map(({ text }) => text),
    ).toEqual(['1', 'Frame', 'No counters', '–', '–'])
  })
})

describe('events', () => {
  it('keep their rank, with how often each came', () => {
    const [frequent, recent] = blocks(buildReport(source()), 'table')
    expect([frequent?.title, recent?.title]).toEqual(['Most frequent events, last 6 months', 'Most recent events'])
    expect(frequent?.rows.map(([times]) => times?.text)).toEqual(['12', '3'])
    expect(recent?.rows[0]?.map(({ text }) => text)).toEqual([
      'ORC-104882',
      aServiceEvent().description,
      'LOW',
      'Closed',
      '20-Nov-2026',
    ])
  })

  it('count once however often they were raised again, which the recent ones say', () => {
    const recent = [
      aServiceEvent({ latchedCount: 12_344 }),
      aServiceEvent({ latchedCount: 12_344, componentName: null }),
    ]
    const [frequent, newest] = blocks(buildReport(source({ events: { frequent: {}, recent } })), 'table')
    expect(frequent?.columns[0]?.title).toBe('Events')
    expect(newest?.rows.map(([, event]) => event?.note)).toEqual([
      `${aServiceEvent().componentName} · raised 12,345 times`,
      'raised 12,345 times',
    ])
  })

  it('say that there are none', () => {
    const tables = blocks(buildReport(source({ events: { frequent: {}, recent: [] } })), 'table')
    expect(tables.slice(0, 2).map(({ rows, empty }) => [rows.length, empty])).toEqual([
      [0, 'No events in the last 6 months.'],
      [0, 'No events.'],
    ])
  })
})

describe('run time', () => {
  it('is that of the last 30 days at the site', () => {
    const [chart] = blocks(buildReport(source()), 'run-time')
    expect(chart?.days).toHaveLength(30)
    expect(chart?.days.at(-1)).toEqual({ day: '2026-11-20', hours: 2, isToday: true })
  })

  it('is a sentence where there is none', () => {
    const report = buildReport(source({ runtimes: [] }))
    expect(blocks(report, 'run-time')).toEqual([])
    expect(blocks(report, 'text')[0]?.text).toBe('No run time was reported in the last 30 days.')
  })
})

it('a status behind a silent gateway is the last one that was reported', () => {
  const factsOf = (orcStatus: 'Connected' | 'Edge Issue') => {
    const instrument = aListedInstrument({ orcStatus, instrumentStatus: 'method run' })
    return blocks(buildReport(source({ instrument })), 'facts').flatMap((block) => block.facts)
  }
  expect(factsOf('Connected')).toContainEqual({ name: 'ORC status', value: 'Connected · method run' })
  const value = 'Edge Issue · Monitoring unavailable, last status: method run'
  expect(factsOf('Edge Issue')).toContainEqual({ name: 'ORC status', value })
})

it('unknown facts keep their place', () => {
  const instrument = aListedInstrument({ instrumentDefinedRoom: null, unicornNetworkConfigurations: 'eth0 by hand' })
  const facts = blocks(buildReport(source({ instrument })), 'facts').flatMap((block) => block.facts)
  expect(facts).toContainEqual({ name: 'Room', value: null })
  expect(facts).toContainEqual({ name: 'Installed on', value: '18-May-2021' })
  expect(facts).toContainEqual({ name: 'Network', value: 'eth0 by hand' })
  expect(facts).toContainEqual({ name: 'Address', value: 'Björkgatan 30, 753 23 Uppsala, Sweden' })
})

it('telephone numbers are in international format, or marked', () => {
  const instrument = aListedInstrument({
    instrumentContactPhone: '018-555 01 20',
    instrumentContactMobile: 'see reception',
  })
  const facts = blocks(buildReport(source({ instrument })), 'facts').flatMap((block) => block.facts)
  expect(facts).toContainEqual({ name: 'Phone', value: '+46 18 555 01 20' })
  expect(facts).toContainEqual({ name: 'Mobile', value: 'see reception (invalid)' })
})
