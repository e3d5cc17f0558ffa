import { expect, it } from 'vitest'
import { dashboardHref } from './log-dashboard.ts'

it('fills every placeholder in percent-encoded, and leaves what it does not know', () => {
  const template =
    'https://logs.example/d?i={installedProductId}&a={firstLogType}/{firstComputer}&b={secondLogType}/{secondComputer}&t={from}..{to}@{at}&x={constructor}'
  const href = dashboardHref(template, {
    installedProductId: 'IP-1/2',
    first: { logType: 'VID', computerName: null },
    second: { logType: 'UNICORNCLIENT', computerName: 'PC 012&{at}' },
    window: { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z' },
    at: '2026-11-20T14:02:07.045Z',
  })
  expect(href).toBe(
    'https://logs.example/d?i=IP-1%2F2&a=VID/&b=UNICORNCLIENT/PC%20012%26%7Bat%7D&t=2026-11-20T00%3A00%3A00.000Z..2026-11-21T00%3A00%3A00.000Z@2026-11-20T14%3A02%3A07.045Z&x={constructor}',
  )
})
