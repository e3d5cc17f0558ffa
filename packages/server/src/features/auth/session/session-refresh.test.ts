import { describe, expect, test } from 'vitest'
import { decideRefresh, type Presented, type RefreshableSession } from './session-refresh.ts'

const now = new Date('2026-11-20T14:00:00.000Z')
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const [current, previous, older] = [Buffer.from('current'), Buffer.from('previous'), Buffer.from('older')]

const session: RefreshableSession = {
  refreshHash: current,
  previousHash: previous,
  previousUntil: new Date(now.getTime() + 10_000),
  lastActivityAt: minutesAgo(20),
  endedAt: null,
  userDisabled: false,
}
const presented: Presented = { tokenHash: current, idleSeconds: 0, now, inactivityLimitSeconds: 4 * 3600 }

describe('which token', () => {
  test('the one in force is rotated', () => {
    expect(decideRefresh(session, presented)).toEqual({ kind: 'rotate', lastActivityAt: now })
  })
  test('the one before it gets the same successor within its grace, to its last millisecond', () => {
    const before = { ...presented, tokenHash: previous }
    expect(decideRefresh(session, before).kind).toBe('repeat')
    expect(decideRefresh({ ...session, previousUntil: now }, before).kind).toBe('repeat')
  })
  test('the one before it ends the session after its grace', () => {
    const late = { ...session, previousUntil: new Date(now.getTime() - 1) }
    expect(decideRefresh(late, { ...presented, tokenHash: previous })).toEqual({ kind: 'end', reason: 'reused' })
  })
  test('an older one ends the session', () => {
    expect(decideRefresh(session, { ...presented, tokenHash: older })).toEqual({ kind: 'end', reason: 'reused' })
  })
  test('none revives a session that ended', () => {
    expect(decideRefresh({ ...session, endedAt: minutesAgo(1) }, presented)).toEqual({ kind: 'refuse' })
  })
  test('a disabled user’s session ends', () => {
    expect(decideRefresh({ ...session, userDisabled: true }, presented)).toEqual({ kind: 'end', reason: 'disabled' })
  })
})

describe('inactivity', () => {
  const idle = (seconds: number, lastActivityAt = minutesAgo(5 * 60)) =>
    decideRefresh({ ...session, lastActivityAt }, { ...presented, idleSeconds: seconds })

  test('the last activity is as long ago as the browser says', () => {
    expect(idle(600)).toEqual({ kind: 'rotate', lastActivityAt: minutesAgo(10) })
  })
  test('it never moves backwards', () => {
    expect(idle(3600, minutesAgo(20))).toEqual({ kind: 'rotate', lastActivityAt: minutesAgo(20) })
  })
  test('one second below the limit the session lives, at the limit it ends', () => {
    expect(idle(4 * 3600 - 1).kind).toBe('rotate')
    expect(idle(4 * 3600)).toEqual({ kind: 'end', reason: 'inactive' })
  })
  test('a click that was not reported yet counts, however old the last reported one is', () => {
    expect(idle(60, minutesAgo(7 * 60))).toEqual({ kind: 'rotate', lastActivityAt: minutesAgo(1) })
  })
  test('who does not say how long gets no credit: nothing moves, and at the limit the session ends', () => {
    const silent = (lastActivityAt: Date) =>
      decideRefresh({ ...session, lastActivityAt }, { ...presented, idleSeconds: undefined })
    expect(silent(minutesAgo(20))).toEqual({ kind: 'rotate', lastActivityAt: minutesAgo(20) })
    expect(silent(minutesAgo(5 * 60))).toEqual({ kind: 'end', reason: 'inactive' })
  })
  test('a number beyond all dates is only a long time', () => {
    expect(idle(1e300)).toEqual({ kind: 'end', reason: 'inactive' })
  })
})
