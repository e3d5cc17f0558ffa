import { describe, expect, it } from 'vitest'
import { canTick, dashboardHref, logsChosen } from './view-logs-panel.tsx'

const vid = { logType: 'VID', computerName: null } as const
const comm = { logType: 'COMM', computerName: null } as const
const one = { logType: 'UNICORNCLIENT', computerName: 'PC-012' } as const
const other = { logType: 'UNICORNCLIENT', computerName: 'PC-014' } as const
const logs = [vid, comm, one, other]

describe('View Logs', () => {
  it('needs at least one box', () => {
    expect(logsChosen(logs, [])).toEqual({ kind: 'none' })
    expect(logsChosen(logs, ['COMM'])).toEqual({ kind: 'one', log: comm })
  })

  it('takes two, the one ticked first on the left', () => {
    expect(logsChosen(logs, ['UNICORNCLIENT:PC-012', 'VID'])).toEqual({ kind: 'two', first: one, second: vid })
  })

  it('refuses two client logs', () => {
    expect(logsChosen(logs, ['UNICORNCLIENT:PC-012', 'UNICORNCLIENT:PC-014'])).toEqual({
      kind: 'refused',
      reason: 'Cannot view two separate client logs side by side',
    })
  })

  it('forgets what the instrument does not have any more', () => {
    expect(logsChosen([vid], ['COMM', 'VID'])).toEqual({ kind: 'one', log: vid })
  })

  it('lets at most two boxes be ticked; those can be emptied', () => {
    expect(canTick(vid, ['COMM'])).toBe(true)
    expect(canTick(vid, ['COMM', 'UNICORNCLIENT:PC-012'])).toBe(false)
    expect(canTick(comm, ['COMM', 'UNICORNCLIENT:PC-012'])).toBe(true)
  })
})

describe('log dashboard', () => {
  it('fills in every placeholder percent-encoded, and leaves unknown ones', () => {
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
})
