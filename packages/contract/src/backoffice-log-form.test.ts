import { expect, it } from 'vitest'
import { type LogForm, readLogForm } from './backoffice-log-form.ts'

const now = new Date('2026-11-20T14:00:00.000Z')
const good = { message: 'Pump started', instrumentInstalledProductId: 'IP-20431187' }
const read = (form: LogForm) => readLogForm(form, { now })
const messages = (form: LogForm) => read(form).errors?.map(({ message }) => message) ?? []

it('message, log type and installed product id are required', () => {
  expect(read({}).errors).toEqual([
    { path: 'message', message: 'Message cannot be empty.' },
    { path: 'logType', message: 'Log type cannot be empty.' },
    { path: 'instrumentInstalledProductId', message: 'Installed product id cannot be empty.' },
  ])
  for (const logType of ['AUDITTRAIL', 'INSTRUMENTSERVER', 'CONNECTIVITY', 'THRESHOLD', 'SYSTEMREPORT']) {
    expect(messages({ logType })).toEqual(['Message cannot be empty.', 'Installed product id cannot be empty.'])
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

it('a log type that there is none of, and times that are none or to come, are refused', () => {
  expect(messages({ ...good, logType: 'DIARY' })[0]).toMatch(/^Log type must be VID, COMM, .* or EVENT\.$/)
  const at = (timestamp: string) => messages({ ...good, logType: 'AUDITTRAIL', timestamp })
  expect(at('2026-11-20T14:01:00.001Z')).toEqual(['Timestamp must not be in the future.'])
  expect(at('soon')).toEqual([
    'Timestamp must be a date and time with a zone, such as 2026-11-20T14:02:23Z, from 1970 on.',
  ])
  expect(at('2026-11-20T13:59:59.999Z')).toEqual([])
})
