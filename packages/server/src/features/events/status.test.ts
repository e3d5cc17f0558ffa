import type { ServiceEventChange } from '@benchwatch/contract/events/events'
import { alertStatuses, closeReasons, requestedAlertStatuses, roles } from '@benchwatch/contract/vocabulary'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Decision, decideChange, type RequestedChange, type ServiceEventState } from './status.ts'

const ME = 7
const SOMEBODY = 8

const fresh: ServiceEventState = {
  alertStatus: '1_NEW',
  claimedBy: null,
  reasonClosed: null,
  reasonClosedComment: null,
  serviceMaxCaseNumber: null,
  serviceMaxUrl: null,
}
const mine: ServiceEventState = { ...fresh, alertStatus: '2_IN_PROGRESS', claimedBy: ME }
const theirs: ServiceEventState = { ...mine, claimedBy: SOMEBODY }
const closed: ServiceEventState = {
  ...mine,
  alertStatus: '3_CLOSED',
  reasonClosed: 'No action required',
  reasonClosedComment: 'Air in the line',
}
const withCase: ServiceEventState = {
  ...closed,
  reasonClosed: 'Service Case Created',
  reasonClosedComment: null,
  serviceMaxCaseNumber: '00012345',
  serviceMaxUrl: 'https://cases.benchwatch.example/1',
}
const bySystem: ServiceEventState = {
  ...closed,
  claimedBy: 0,
  reasonClosed: 'Closed by automatic email',
  reasonClosedComment: null,
}

function decide(event: ServiceEventState, change: ServiceEventChange, more: Partial<RequestedChange> = {}): Decision {
  return decideChange({
    event,
    change,
    actor: { id: ME, role: 'service' },
    newOwner: change.claimedBy && change.claimedBy !== 'SYSTEM' ? Number(change.claimedBy) : null,
    isStale: false,
    caseNumberPattern: /^\d{8}$/,
    caseUrlHosts: ['cases.benchwatch.example'],
    ...more,
  })
}

const becomes = (state: ServiceEventState): Decision => ({ kind: 'change', state })
const refused = (code: string) => expect.objectContaining({ kind: 'refusal', code })
const nothing: Decision = { kind: 'nothing' }

describe('a body that changes nothing is fine for everybody, also with a stale version', () => {
  test.each<[string, ServiceEventState, ServiceEventChange]>([
    ['an empty one', theirs, {}],
    ['the owner that it has', theirs, { claimedBy: '8' }],
    ['the owner that it has, with In progress beside', theirs, { claimedBy: '8', alertStatus: 'IN_PROGRESS' }],
    [
      'the owner of a closed event, with In progress beside',
      { ...closed, claimedBy: SOMEBODY },
      { claimedBy: '8', alertStatus: 'IN_PROGRESS' },
    ],
    ['no owner where there is none', fresh, { claimedBy: null }],
    ['the system marker where it is', bySystem, { claimedBy: 'SYSTEM' }],
    ['New on a New event', fresh, { alertStatus: 'NEW' }],
    ['In progress on one in progress', theirs, { alertStatus: 'IN_PROGRESS' }],
    ['Closed on a closed one', { ...closed, claimedBy: SOMEBODY }, { alertStatus: 'CLOSED' }],
    [
      'the same close again',
      closed,
      { alertStatus: 'CLOSED', reasonClosed: 'No action required', reasonClosedComment: 'Air in the line' },
    ],
    ['the close of the system again', bySystem, { alertStatus: 'CLOSED', reasonClosed: 'Closed by automatic email' }],
    [
      'the same case again',
      withCase,
      { serviceMaxCaseNumber: '00012345', serviceMaxUrl: 'https://cases.benchwatch.example/1' },
    ],
    ['the comment with blanks round it', closed, { reasonClosedComment: '  Air in the line ' }],
    ['an empty comment where there is none', bySystem, { reasonClosedComment: ' ' }],
    [
      'no fields where there are none',
      fresh,
      { reasonClosed: null, reasonClosedComment: null, serviceMaxCaseNumber: null, serviceMaxUrl: null },
    ],
  ])('%s', (_what, event, change) => {
    expect(decide(event, change, { isStale: true, actor: { id: 99, role: 'customer' }, newOwner: null })).toEqual(
      nothing,
    )
  })
})

describe('claiming and assigning', () => {
  test.each<[string, ServiceEventState, ServiceEventChange, ServiceEventState]>([
    ['a New event becomes in progress', fresh, { claimedBy: '7' }, mine],
    ['also with In progress beside', fresh, { claimedBy: '7', alertStatus: 'IN_PROGRESS' }, mine],
    ['to somebody else', fresh, { claimedBy: '8' }, theirs],
    ['away from its owner, by anybody', theirs, { claimedBy: '7' }, mine],
    ['a New event that has this owner already', { ...fresh, claimedBy: ME }, { claimedBy: '7' }, mine],
    ['with fields beside that change nothing', fresh, { claimedBy: '7', reasonClosedComment: null }, mine],
  ])('%s', (_what, event, change, state) => {
    expect(decide(event, change)).toEqual(becomes(state))
  })

  test.each<[string, ServiceEventState, ServiceEventChange, string]>([
    ['back to nobody', theirs, { claimedBy: null }, 'bad-change'],
    ['with New beside', fresh, { claimedBy: '7', alertStatus: 'NEW' }, 'bad-change'],
    [
      'with Closed beside',
      fresh,
      { claimedBy: '7', alertStatus: 'CLOSED', reasonClosed: 'Duplicate event' },
      'bad-change',
    ],
    ['with a comment beside', fresh, { claimedBy: '7', reasonClosedComment: 'x' }, 'bad-change'],
    ['of a closed event', closed, { claimedBy: '8' }, 'status-conflict'],
  ])('not %s', (_what, event, change, code) => {
    expect(decide(event, change)).toEqual(refused(code))
  })

  test('not to a user whom the caller can’t choose', () => {
    expect(decide(fresh, { claimedBy: '8' }, { newOwner: null })).toEqual(refused('unknown-owner'))
    expect(decide(closed, { claimedBy: '8' }, { newOwner: null })).toEqual(refused('unknown-owner'))
  })

  test('not to the system', () => {
    expect(decide(fresh, { claimedBy: 'SYSTEM' }, { newOwner: null })).toEqual(refused('unknown-owner'))
  })
})

describe('moving', () => {
  test('the owner of a New event takes it in progress', () => {
    expect(decide({ ...fresh, claimedBy: ME }, { alertStatus: 'IN_PROGRESS' })).toEqual(becomes(mine))
  })

  test.each<[string, ServiceEventState, ServiceEventChange, string]>([
    ['somebody who does not own it', { ...fresh, claimedBy: SOMEBODY }, { alertStatus: 'IN_PROGRESS' }, 'not-owner'],
    ['anybody while nobody owns it', fresh, { alertStatus: 'IN_PROGRESS' }, 'not-owner'],
    ['somebody else, whatever the move', theirs, { alertStatus: 'NEW' }, 'not-owner'],
    ['the owner back to New', mine, { alertStatus: 'NEW' }, 'status-conflict'],
    ['the owner from closed to New', closed, { alertStatus: 'NEW' }, 'status-conflict'],
    ['the owner from closed to in progress', closed, { alertStatus: 'IN_PROGRESS' }, 'status-conflict'],
    ['with a reason beside', mine, { alertStatus: 'NEW', reasonClosed: 'Duplicate event' }, 'bad-change'],
    [
      'with a comment beside',
      { ...fresh, claimedBy: ME },
      { alertStatus: 'IN_PROGRESS', reasonClosedComment: 'x' },
      'bad-change',
    ],
  ])('is refused to %s', (_what, event, change, code) => {
    expect(decide(event, change)).toEqual(refused(code))
  })
})

describe('closing', () => {
  const close = (fields: ServiceEventChange): ServiceEventChange => ({ alertStatus: 'CLOSED', ...fields })

  test.each<[string, ServiceEventState, ServiceEventChange, Partial<ServiceEventState>]>([
    [
      'in progress, with a comment',
      mine,
      { reasonClosed: 'Duplicate event', reasonClosedComment: ' of 100 ' },
      { reasonClosed: 'Duplicate event', reasonClosedComment: 'of 100' },
    ],
    [
      'a New event of one’s own',
      { ...fresh, claimedBy: ME },
      { reasonClosed: 'Customer resolved on own' },
      { reasonClosed: 'Customer resolved on own' },
    ],
    [
      'with a case',
      mine,
      { reasonClosed: 'Service Case Created', serviceMaxCaseNumber: '00012345' },
      { reasonClosed: 'Service Case Created', serviceMaxCaseNumber: '00012345' },
    ],
    [
      'with a case and its address',
      mine,
      {
        reasonClosed: 'Service Case Created',
        serviceMaxCaseNumber: ' 00012345',
        serviceMaxUrl: 'https://cases.benchwatch.example/1',
      },
      { ...withCase },
    ],
    [
      'with a case, whose comment is emptied',
      mine,
      { reasonClosed: 'Service Case Created', serviceMaxCaseNumber: '00012345', reasonClosedComment: 'x' },
      { reasonClosed: 'Service Case Created', serviceMaxCaseNumber: '00012345' },
    ],
    [
      'with another reason, whose case is emptied',
      mine,
      {
        reasonClosed: 'Duplicate event',
        reasonClosedComment: 'of 100',
        serviceMaxCaseNumber: '123',
        serviceMaxUrl: 'https://evil.example/1',
      },
      { reasonClosed: 'Duplicate event', reasonClosedComment: 'of 100' },
    ],
    [
      'again with a case, which empties the comment',
      closed,
      { reasonClosed: 'Service Case Created', serviceMaxCaseNumber: '00012345' },
      { reasonClosed: 'Service Case Created', serviceMaxCaseNumber: '00012345' },
    ],
    [
      'again without a case, which empties it',
      withCase,
      { reasonClosed: 'Duplicate event' },
      { reasonClosed: 'Duplicate event' },
    ],
    [
      'again with the same reason and no comment, which empties it',
      closed,
      { reasonClosed: 'No action required' },
      { reasonClosed: 'No action required' },
    ],
  ])('%s', (_what, event, fields, state) => {
    expect(decide(event, close(fields))).toEqual(
      becomes({ ...fresh, alertStatus: '3_CLOSED', claimedBy: ME, ...state }),
    )
  })

  test.each<[string, ServiceEventState, ServiceEventChange, string]>([
    ['without a reason', mine, {}, 'bad-change'],
    ['with a reason of the system', mine, { reasonClosed: 'Closed by automatic email' }, 'bad-change'],
    ['with the other reason of the system', mine, { reasonClosed: 'Customer unsubscribed' }, 'bad-change'],
    ['with a case that has no number', mine, { reasonClosed: 'Service Case Created' }, 'bad-change'],
    [
      'with a number of the wrong form',
      mine,
      { reasonClosed: 'Service Case Created', serviceMaxCaseNumber: '123' },
      'bad-change',
    ],
    [
      'with an address elsewhere',
      mine,
      {
        reasonClosed: 'Service Case Created',
        serviceMaxCaseNumber: '00012345',
        serviceMaxUrl: 'https://evil.example/1',
      },
      'bad-change',
    ],
    ['what somebody else owns', theirs, { reasonClosed: 'Duplicate event' }, 'not-owner'],
    ['what nobody owns', fresh, { reasonClosed: 'Duplicate event' }, 'not-owner'],
    ['again what the system closed', bySystem, { reasonClosed: 'Duplicate event' }, 'not-owner'],
  ])('not %s', (_what, event, fields, code) => {
    expect(decide(event, close(fields))).toEqual(refused(code))
  })
})

describe('correcting a closed event', () => {
  test.each<[string, ServiceEventState, ServiceEventChange, Partial<ServiceEventState>]>([
    ['the comment', closed, { reasonClosedComment: 'Leak' }, { reasonClosedComment: 'Leak' }],
    ['the comment away', closed, { reasonClosedComment: null }, { reasonClosedComment: null }],
    [
      'the comment, with the reason that it has',
      closed,
      { reasonClosed: 'No action required', reasonClosedComment: 'Leak' },
      { reasonClosedComment: 'Leak' },
    ],
    ['the case number', withCase, { serviceMaxCaseNumber: '00099999' }, { serviceMaxCaseNumber: '00099999' }],
    [
      'the case address',
      withCase,
      { serviceMaxUrl: 'https://cases.benchwatch.example/2' },
      { serviceMaxUrl: 'https://cases.benchwatch.example/2' },
    ],
    ['the case address away', withCase, { serviceMaxUrl: null }, { serviceMaxUrl: null }],
  ])('%s', (_what, event, change, state) => {
    expect(decide(event, change)).toEqual(becomes({ ...event, ...state }))
  })

  test.each<[string, ServiceEventState, ServiceEventChange, string]>([
    ['the reason alone', closed, { reasonClosed: 'Duplicate event' }, 'bad-change'],
    ['the case number away', withCase, { serviceMaxCaseNumber: null }, 'bad-change'],
    ['a case number of the wrong form', withCase, { serviceMaxCaseNumber: 'SC-1' }, 'bad-change'],
    ['a case address elsewhere', withCase, { serviceMaxUrl: 'http://cases.benchwatch.example/1' }, 'bad-change'],
    ['a comment on an open event', mine, { reasonClosedComment: 'x' }, 'status-conflict'],
    ['a comment on somebody’s open event', theirs, { reasonClosedComment: 'x' }, 'not-owner'],
    [
      'a comment on somebody’s closed event',
      { ...closed, claimedBy: SOMEBODY },
      { reasonClosedComment: 'x' },
      'not-owner',
    ],
    ['a comment beside a case', withCase, { reasonClosedComment: 'x' }, 'status-conflict'],
    [
      'a comment where the customer unsubscribed',
      { ...bySystem, claimedBy: ME, reasonClosed: 'Customer unsubscribed' },
      { reasonClosedComment: 'x' },
      'status-conflict',
    ],
    ['a case where there is none', closed, { serviceMaxCaseNumber: '00012345' }, 'status-conflict'],
    [
      'a case address where there is no case',
      closed,
      { serviceMaxUrl: 'https://cases.benchwatch.example/2' },
      'status-conflict',
    ],
  ])('not %s', (_what, event, change, code) => {
    expect(decide(event, change)).toEqual(refused(code))
  })

  test.each(roles)('what the system closed: %s', (role) => {
    const decision = decide(bySystem, { reasonClosedComment: 'Mailed' }, { actor: { id: ME, role } })
    expect(decision).toEqual(
      role === 'customer' ? refused('not-owner') : becomes({ ...bySystem, reasonClosedComment: 'Mailed' }),
    )
  })
})

describe('the order of refusals', () => {
  test('permission comes first, then invalid changes, then the version, then the status', () => {
    const stale = { isStale: true }
    expect(decide(theirs, { alertStatus: 'CLOSED' }, stale)).toEqual(refused('not-owner'))
    expect(decide(theirs, { alertStatus: 'CLOSED', reasonClosed: 'Duplicate event' }, stale)).toEqual(
      refused('not-owner'),
    )
    expect(decide(theirs, { reasonClosedComment: 'x' }, stale)).toEqual(refused('not-owner'))
    expect(decide(mine, { alertStatus: 'CLOSED' }, stale)).toEqual(refused('bad-change'))
    expect(decide(mine, { alertStatus: 'NEW' }, stale)).toEqual(refused('version-mismatch'))
    expect(decide(closed, { claimedBy: '8' }, stale)).toEqual(refused('version-mismatch'))
    expect(decide(closed, { serviceMaxCaseNumber: '00012345' }, stale)).toEqual(refused('version-mismatch'))
    expect(decide(closed, { claimedBy: '8' }, { ...stale, newOwner: null })).toEqual(refused('unknown-owner'))
  })
})

const anyText = fc.constantFrom(undefined, null, '', 'x', '00012345', 'https://cases.benchwatch.example/1')
const anyChange = fc.record(
  {
    alertStatus: fc.constantFrom(...requestedAlertStatuses),
    claimedBy: fc.constantFrom(null, '7', '8', 'SYSTEM'),
    reasonClosed: fc.constantFrom(null, ...closeReasons),
    reasonClosedComment: anyText,
    serviceMaxCaseNumber: anyText,
    serviceMaxUrl: anyText,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<ServiceEventChange>
const anyEvent = fc.constantFrom(fresh, { ...fresh, claimedBy: ME }, mine, theirs, closed, withCase, bySystem)
const anyActor = fc.record({ id: fc.constantFrom(ME, SOMEBODY, 99), role: fc.constantFrom(...roles) })

describe('whatever is asked of whatever event', () => {
  const whatever = (
    check: (given: { event: ServiceEventState; change: ServiceEventChange; actor: RequestedChange['actor'] }) => void,
  ) =>
    fc.assert(fc.property(fc.record({ event: anyEvent, change: anyChange, actor: anyActor }), check), { numRuns: 3000 })

  test('a change leads to a state that the rules know, and is nothing the second time', () => {
    whatever(({ event, change, actor }) => {
      const decision = decide(event, change, { actor })
      if (decision.kind !== 'change') return
      const { state } = decision
      expect(state).not.toEqual(event)
      expect(alertStatuses.indexOf(state.alertStatus)).toBeGreaterThanOrEqual(alertStatuses.indexOf(event.alertStatus))
      expect(state.alertStatus).not.toBe('1_NEW')
      expect(state.claimedBy).not.toBeNull()
      expect(state.reasonClosed !== null).toBe(state.alertStatus === '3_CLOSED')
      expect(state.serviceMaxCaseNumber !== null).toBe(state.reasonClosed === 'Service Case Created')
      if (state.reasonClosed === 'Service Case Created') expect(state.reasonClosedComment).toBeNull()
      else expect(state.serviceMaxUrl).toBeNull()
      expect(decide(state, change, { actor, isStale: true })).toEqual(nothing)
    })
  })

  test('only the owner changes anything but the owner, and the service organisation what the system closed', () => {
    whatever(({ event, change, actor }) => {
      const decision = decide(event, change, { actor })
      if (decision.kind !== 'change' || event.claimedBy === actor.id) return
      // Any user who sees an event may assign it, even to its present owner while it is New.
      if (decision.state.claimedBy !== event.claimedBy || (event.alertStatus === '1_NEW' && change.claimedBy)) return
      expect(event.claimedBy).toBe(0)
      expect(event.alertStatus).toBe('3_CLOSED')
      expect(actor.role).not.toBe('customer')
    })
  })

  test('with a stale version nothing changes', () => {
    whatever(({ event, change, actor }) => {
      expect(decide(event, change, { actor, isStale: true }).kind).not.toBe('change')
    })
  })

  test('a refusal is a sentence', () => {
    whatever(({ event, change, actor }) => {
      const decision = decide(event, change, { actor })
      if (decision.kind === 'refusal') expect(decision.sentence).toMatch(/^[A-Z'].*\.$/)
    })
  })
})
