import { describe, expect, it } from 'vitest'
import { CASE_NUMBER } from '../patterns.ts'
import { type EventForm, type LogForm, readEventForm, readLogForm } from './backoffice-forms.ts'

const now = new Date('2026-11-20T14:00:00.000Z')
const rules = { now, caseNumberPattern: CASE_NUMBER, caseUrlHosts: ['cases.benchwatch.example'] }

const good: EventForm = {
  componentName: 'Pump B (P9-B)',
  description: 'Pressure above limit',
  userMessage: 'Look at the pump',
  severity: 'high',
  templateId: 'P9B-1042',
  instrumentInstalledProductId: 'IP-20431187',
  alertStatus: '1_NEW',
  alertType: 1,
  createdAt: '2026-11-20T13:00:00.000Z',
  alertSource: 'INSTRUMENT',
  alertId: 'alert-1',
}
const closed: EventForm = { ...good, alertStatus: '3_CLOSED', claimedBy: '7', reasonClosed: 'No action required' }

const read = (form: EventForm) => readEventForm(form, rules)
const messages = (form: EventForm) => read(form).errors?.map(({ message }) => message) ?? []

it('every field that is required says so by its label, in the order of the form', () => {
  const expected = [
    ['componentName', 'Module name cannot be empty.'],
    ['description', 'Description cannot be empty.'],
    ['userMessage', 'User message cannot be empty.'],
    ['severity', 'Severity cannot be empty.'],
    ['templateId', 'Template ID cannot be empty.'],
    ['instrumentInstalledProductId', 'Installed product ID cannot be empty.'],
    ['alertStatus', 'Alert status cannot be empty.'],
    ['alertType', 'Alert type cannot be empty.'],
    ['createdAt', 'Created at cannot be empty.'],
    ['alertSource', 'Alert source cannot be empty.'],
    ['alertId', 'Alert ID cannot be empty.'],
  ].map(([path, message]) => ({ path, message }))
  expect(read({}).errors).toEqual(expected)
  const blank = Object.fromEntries(Object.keys(good).map((field) => [field, ' \t']))
  expect(read(blank).errors).toEqual(expected)
  expect(read({ ...blank, ...Object.fromEntries(Object.keys(good).map((field) => [field, null])) }).errors).toEqual(
    expected,
  )
})

it('a good form is the event that it asks for, with BACKOFFICE among its sources', () => {
  expect(read({ ...good, alertType: '2', severity: 'HIGH', alertSource: 'instrument, TEST,' }).value).toEqual({
    ...good,
    alertType: 2,
    severity: 'high',
    alertSource: 'INSTRUMENT,TEST,BACKOFFICE',
    createdAt: new Date('2026-11-20T13:00:00Z'),
    logGeneratedAt: new Date('2026-11-20T13:00:00Z'),
    claimedBy: null,
    reasonClosed: null,
    reasonClosedComment: null,
    serviceMaxCaseNumber: null,
    serviceMaxUrl: null,
  })
  expect(read({ ...good, alertSource: 'BACKOFFICE' }).value?.alertSource).toBe('BACKOFFICE')
})

it.each([
  [{ severity: 'worst' }, 'Severity must be high, medium or low.'],
  [{ alertType: 3 }, 'Alert type must be 1 (Alarm) or 2 (Alert).'],
  [{ alertStatus: 'OPEN' }, 'Alert status must be New, In progress or Closed.'],
  [{ templateId: 'P9B' }, 'Template ID must be a module code and an error number, such as P9B-1042.'],
  [{ templateId: '<b>-1' }, 'Template ID must be a module code and an error number, such as P9B-1042.'],
  [
    { alertSource: 'EDGE_ISSUE' },
    'Alert source must be INSTRUMENT, OFFLINE, BACKOFFICE or TEST; several with commas between them.',
  ],
])('%j is refused', (over, message) => {
  expect(messages({ ...good, ...over })).toEqual([message])
})

it.each([
  ['1_NEW', 'NEW', 'New'],
  ['2_IN_PROGRESS', 'IN_PROGRESS', 'In progress'],
  ['3_CLOSED', 'CLOSED', 'Closed'],
])('%s may be written as %s and %s', (status, ...words) => {
  const rest = { '1_NEW': {}, '2_IN_PROGRESS': { claimedBy: '7' }, '3_CLOSED': closed }[status]
  for (const word of words) expect(read({ ...good, ...rest, alertStatus: word }).value?.alertStatus).toBe(status)
})

describe('created at', () => {
  const created = (createdAt: string, logGeneratedAt?: string) => messages({ ...good, createdAt, logGeneratedAt })

  it('must not be earlier than log generated at', () => {
    expect(created('2026-11-20T12:00:00Z', '2026-11-20T12:00:01Z')).toEqual([
      'Created at must be later than or equal to log generated at.',
    ])
    expect(created('2026-11-20T12:00:00Z', '2026-11-20T13:00:00+01:00')).toEqual([])
  })

  it('must not be in the future; a minute ahead is a clock that runs fast, and counts as now', () => {
    expect(created('2026-11-20T14:01:00.001Z')).toEqual(['Created at must not be in the future.'])
    const { value } = read({ ...good, createdAt: '2026-11-20T14:01:00.000Z', logGeneratedAt: '2026-11-20T14:00:30Z' })
    expect([value?.createdAt, value?.logGeneratedAt]).toEqual([now, now])
  })

  it.each(['yesterday', '2026-11-20T13:00:00', '2026-02-30', '1969-12-31', '+275760-09-13', '2026-11-20T25:00:00Z'])(
    '%s is no time',
    (text) => {
      const sentence = 'must be a date and time with a zone, 1970 or later, such as 2026-11-20T14:02:23Z.'
      expect(created(text)).toEqual([`Created at ${sentence}`])
      expect(created('2026-11-20T13:00:00Z', text)).toEqual([`Log generated at ${sentence}`])
    },
  )
})

describe('owner and reason', () => {
  it.each(['2_IN_PROGRESS', '3_CLOSED'])('status %s needs an owner', (alertStatus) => {
    expect(messages({ ...closed, alertStatus, claimedBy: '' })).toContain('Owner cannot be empty.')
  })

  it('a new event has none', () => {
    expect(messages({ ...good, claimedBy: '7' })).toEqual([
      'Owner must be empty for a new event: events with an owner are in progress.',
    ])
  })

  it('status Closed needs a reason closed, one that people give', () => {
    expect(messages({ ...closed, reasonClosed: null })).toEqual(['Reason closed cannot be empty.'])
    const sentence =
      'Reason closed must be Service Case Created, Customer resolved on own, No action required or Duplicate event.'
    expect(messages({ ...closed, reasonClosed: 'Bored' })).toEqual([sentence])
    expect(messages({ ...closed, reasonClosed: 'Closed by automatic email' })).toEqual([sentence])
    expect(read({ ...closed, reasonClosedComment: 'Seen' }).value).toMatchObject({ reasonClosedComment: 'Seen' })
  })

  it.each(['1_NEW', '2_IN_PROGRESS'])('reason fields are refused for %s', (alertStatus) => {
    const form = { ...good, alertStatus, claimedBy: alertStatus === '1_NEW' ? null : '7' }
    const reason = { reasonClosed: 'No action required', reasonClosedComment: 'x' }
    expect(messages({ ...form, ...reason, serviceMaxCaseNumber: '00012345', serviceMaxUrl: 'https://x' })).toEqual([
      'Reason closed must be empty unless the event is closed.',
      'Reason comment must be empty unless the event is closed.',
      'ServiceMax case number must be empty unless the event is closed.',
      'ServiceMax URL must be empty unless the event is closed.',
    ])
  })

  it('Service Case Created needs a case number and an empty comment', () => {
    const withCase = { ...closed, reasonClosed: 'Service Case Created' }
    expect(messages({ ...withCase, reasonClosedComment: 'x' })).toEqual([
      'Reason comment must be empty for Service Case Created.',
      'ServiceMax case number cannot be empty.',
    ])
    expect(messages({ ...withCase, serviceMaxCaseNumber: '123', serviceMaxUrl: 'http://evil.example/1' })).toEqual([
      'ServiceMax case number must have the format of your case management, such as 00012345.',
      'ServiceMax URL must be an https address at cases.benchwatch.example.',
    ])
    const good = { serviceMaxCaseNumber: '00012345', serviceMaxUrl: 'https://cases.benchwatch.example/1' }
    expect(read({ ...withCase, ...good }).value).toMatchObject(good)
  })
})

describe('backoffice log form', () => {
  const now = new Date('2026-11-20T14:00:00.000Z')
  const good = { message: 'Pump started', instrumentInstalledProductId: 'IP-20431187' }
  const read = (form: LogForm) => readLogForm(form, { now })
  const messages = (form: LogForm) => read(form).errors?.map(({ message }) => message) ?? []

  it('message, log type and installed product id are required', () => {
    expect(read({}).errors).toEqual([
      { path: 'message', message: 'Message cannot be empty.' },
      { path: 'logType', message: 'Log type cannot be empty.' },
      { path: 'instrumentInstalledProductId', message: 'Installed product ID cannot be empty.' },
    ])
    for (const logType of ['AUDITTRAIL', 'INSTRUMENTSERVER', 'CONNECTIVITY', 'THRESHOLD', 'SYSTEMREPORT']) {
      expect(messages({ logType })).toEqual(['Message cannot be empty.', 'Installed product ID cannot be empty.'])
      expect(messages({ ...good, logType })).toEqual([])
    }
  })

  it.each([
    ['VID', ['Module cannot be empty.']],
    ['COMM', ['Module cannot be empty.']],
    ['EVENT', ['Component cannot be empty.', 'Error code cannot be empty.']],
    [
      'WINDOWSSYSTEMEVENT',
      [
        'Log level cannot be empty.',
        'Event code cannot be empty.',
        'Winlog user name cannot be empty.',
        'Host hostname cannot be empty.',
      ],
    ],
    ['UNICORNCLIENT', []],
  ])('%s needs fields of its own', (logType, expected) => {
    expect(messages({ ...good, logType })).toEqual(expected)
  })

  it('UNICORNCLIENT needs host hostname and enterprise when the installed product id is empty', () => {
    const form = { message: 'Logged on', logType: 'UNICORNCLIENT' }
    expect(messages(form)).toEqual(['Host hostname cannot be empty.', 'Enterprise cannot be empty.'])
    expect(read({ ...form, hostHostname: 'PC-012', enterprise: 'Helix Biologics' }).value).toMatchObject({
      instrumentInstalledProductId: null,
      hostname: 'PC-012',
      enterprise: 'Helix Biologics',
      timestamp: now,
    })
  })

  it('the component and the error code of an EVENT are its module and event code', () => {
    const form = {
      ...good,
      logType: 'event',
      componentName: 'Pump B (P9-B)',
      errorCode: '1042',
      module: 'x',
      eventCode: 'y',
    }
    expect(read(form).value).toMatchObject({ logType: 'EVENT', module: 'Pump B (P9-B)', eventCode: '1042' })
    expect(read({ ...form, logType: 'VID' }).value).toMatchObject({ module: 'x', eventCode: 'y' })
  })

  it('unknown log types, invalid times and future times are refused', () => {
    expect(messages({ ...good, logType: 'DIARY' })[0]).toMatch(/^Log type must be VID, COMM, .* or EVENT\.$/)
    const at = (timestamp: string) => messages({ ...good, logType: 'AUDITTRAIL', timestamp })
    expect(at('2026-11-20T14:01:00.001Z')).toEqual(['Timestamp must not be in the future.'])
    expect(at('soon')).toEqual([
      'Timestamp must be a date and time with a zone, 1970 or later, such as 2026-11-20T14:02:23Z.',
    ])
    expect(at('2026-11-20T13:59:59.999Z')).toEqual([])
  })
})
