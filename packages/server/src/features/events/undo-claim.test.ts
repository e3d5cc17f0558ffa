import { describe, expect, test } from 'vitest'
import { beforeClaim, type LoggedChange } from './events.queries.ts'

const ME = 7
const AT = new Date('2026-11-20T10:00:00.000Z')
const LATER = new Date('2026-11-20T10:00:05.000Z')

const owner: LoggedChange = {
  at: AT,
  actorType: 'user',
  actorId: '7',
  property: 'claimedBy',
  oldValue: null,
  newValue: '7',
}
const status: LoggedChange = { ...owner, property: 'alertStatus', oldValue: '1_NEW', newValue: '2_IN_PROGRESS' }

describe('the claim that an undo takes back', () => {
  test('of a New event without owner', () => {
    expect(beforeClaim([owner, status], ME)).toEqual({ claimedBy: null, alertStatus: '1_NEW' })
  })

  test('of a colleague’s event in progress, whatever was changed before it', () => {
    const theirs = { ...owner, actorId: '8', newValue: '8' }
    const takenOver = { ...owner, at: LATER, oldValue: '8' }
    expect(beforeClaim([theirs, { ...status, actorId: '8' }, takenOver], ME)).toEqual({
      claimedBy: 8,
      alertStatus: '2_IN_PROGRESS',
    })
  })

  test.each<[string, LoggedChange[]]>([
    ['nothing changed within the last minute', []],
    ['a colleague assigned it to me', [{ ...owner, actorId: '8' }]],
    ['I assigned it to a colleague', [{ ...owner, newValue: '8' }]],
    ['an API token claimed it', [{ ...owner, actorType: 'api_token' }]],
    ['a colleague took it over since', [owner, status, { ...owner, at: LATER, actorId: '8', newValue: '8' }]],
    ['I closed it since', [owner, status, { ...status, at: LATER, newValue: '3_CLOSED' }]],
    ['I undid the claim already', [owner, status, { ...owner, at: LATER, oldValue: '7', newValue: null }]],
    ['a close shares the moment of the claim', [owner, status, { ...status, newValue: '3_CLOSED' }]],
  ])('is none where %s', (_what, changes) => {
    expect(beforeClaim(changes, ME)).toBeNull()
  })
})
