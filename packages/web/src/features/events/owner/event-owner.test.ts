import { aServiceEvent } from '@benchwatch/samples/service-event'
import { describe, expect, it } from 'vitest'
import { offeredMoves } from '../status/status-menu.tsx'
import {
  assignableUsers,
  assignment,
  mayAssignToMe,
  mayChangeOwner,
  mayChangeStatus,
  mayCorrect,
  ownerLabel,
  primaryAction,
  type Viewer,
} from './event-owner.ts'

const anna: Viewer = { id: '1', role: 'service' }
const users = [
  { id: '1', name: 'Anna Lind', email: null, msisdn: null },
  { id: '2', name: 'Maria Öberg', email: null, msisdn: null },
  { id: '3', name: 'Jonas Berg', email: null, msisdn: null },
]

describe('the owner', () => {
  it("is shown as 'Me', the user's name, 'Automatic' or 'None'", () => {
    const label = (claimedBy: string | null, claimedByName: string | null) =>
      ownerLabel(aServiceEvent({ claimedBy, claimedByName }), anna)
    expect(label('1', 'Anna Lind')).toBe('Me')
    expect(label('2', 'Maria Öberg')).toBe('Maria Öberg')
    expect(label('SYSTEM', null)).toBe('Automatic')
    expect(label(null, null)).toBe('None')
  })

  it('alone may change the status', () => {
    expect(mayChangeStatus(aServiceEvent({ claimedBy: '1' }), anna)).toBe(true)
    expect(mayChangeStatus(aServiceEvent({ claimedBy: '2' }), anna)).toBe(false)
    expect(mayChangeStatus(aServiceEvent({ claimedBy: null }), anna)).toBe(false)
  })

  it("'Assign to me' is offered to who is in the user list and not owner already", () => {
    expect(mayAssignToMe(aServiceEvent(), anna, users)).toBe(true)
    expect(mayAssignToMe(aServiceEvent({ claimedBy: '1' }), anna, users)).toBe(false)
    expect(mayAssignToMe(aServiceEvent(), anna, users.slice(1))).toBe(false)
    expect(mayAssignToMe(aServiceEvent({ alertStatus: '3_CLOSED' }), anna, users)).toBe(false)
  })

  it('can be chosen from the list without the current owner, searchable by name', () => {
    const event = aServiceEvent({ claimedBy: '3' })
    expect(assignableUsers(users, event, '').map(({ id }) => id)).toEqual(['1', '2'])
    expect(assignableUsers(users, event, 'oberg').map(({ id }) => id)).toEqual(['2'])
    expect(assignableUsers(users, event, 'berg').map(({ id }) => id)).toEqual(['2'])
  })

  it('moves a New event to In progress; the flag is sent only then', () => {
    expect(assignment(aServiceEvent(), '1')).toEqual({ claimedBy: '1', alertStatus: 'IN_PROGRESS' })
    expect(assignment(aServiceEvent({ alertStatus: '2_IN_PROGRESS' }), '1')).toEqual({ claimedBy: '1' })
  })

  it('of a closed event stays', () => {
    expect(mayChangeOwner(aServiceEvent({ alertStatus: '3_CLOSED' }))).toBe(false)
    expect(mayChangeOwner(aServiceEvent({ alertStatus: '2_IN_PROGRESS' }))).toBe(true)
  })

  it('may correct a closed event; where the system owns it, everybody but customers may', () => {
    const closed = (claimedBy: string | null) => aServiceEvent({ alertStatus: '3_CLOSED', claimedBy })
    expect(mayCorrect(closed('1'), anna)).toBe(true)
    expect(mayCorrect(closed('2'), anna)).toBe(false)
    expect(mayCorrect(closed('SYSTEM'), anna)).toBe(true)
    expect(mayCorrect(closed('SYSTEM'), { id: '9', role: 'customer' })).toBe(false)
    expect(mayCorrect(aServiceEvent({ claimedBy: '1' }), anna)).toBe(false)
  })
})

describe('the status dropdown', () => {
  it('offers New only while New, where a click does nothing, and In progress only from New', () => {
    expect(offeredMoves({ alertStatus: '1_NEW' })).toEqual([
      { to: '1_NEW', label: 'New', effect: 'none' },
      { to: '2_IN_PROGRESS', label: 'In progress', effect: 'move' },
      { to: '3_CLOSED', label: 'Closed', effect: 'close' },
    ])
    expect(offeredMoves({ alertStatus: '2_IN_PROGRESS' }).map(({ effect }) => effect)).toEqual(['none', 'close'])
  })

  it('offers Closed from any status', () => {
    for (const alertStatus of ['1_NEW', '2_IN_PROGRESS', '3_CLOSED'] as const)
      expect(offeredMoves({ alertStatus }).some(({ effect }) => effect === 'close')).toBe(true)
  })
})

describe('the next thing to do', () => {
  it.each([
    [{ claimedBy: null }, 'take'],
    [{ claimedBy: '1', alertStatus: '2_IN_PROGRESS' } as const, 'close'],
    [{ claimedBy: '2', alertStatus: '2_IN_PROGRESS' } as const, 'takeOver'],
    [{ claimedBy: '1', alertStatus: '3_CLOSED' } as const, null],
    [{ claimedBy: '2', alertStatus: '3_CLOSED' } as const, null],
  ])('with %o is %s', (changes, expected) => {
    expect(primaryAction(aServiceEvent(changes), { viewer: anna, mayOwn: true })).toBe(expected)
  })

  it('is nothing for users who are not in the list of users', () => {
    expect(primaryAction(aServiceEvent({ claimedBy: null }), { viewer: anna, mayOwn: false })).toBeNull()
  })
})
