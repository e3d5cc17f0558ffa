import { describe, expect, it } from 'vitest'
import { canTick, logsChosen } from './log-choice.ts'

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
