import { SYSTEM_USER_ID } from './service-event-codes.ts'
import { type Decision, decideChange, type RequestedChange, type ServiceEventState } from './status.ts'

type Refusal = Extract<Decision, { kind: 'refusal' }>

/** No change can ask for it: texts of a change are trimmed. */
const OTHER_TEXT = ' '

/**
 * Why no event at all could take a change, for those who ask for it of many: what PUT answers with 400 (a close without
 * reason, an owner that can't be). Null where some event could, or where it is only status or owner that stand against it.
 *
 * It has no rule of its own: `decideChange` is asked about an event of each kind that the rule tells apart.
 */
export function refusalForEveryEvent(request: Omit<RequestedChange, 'event' | 'isStale'>): Refusal | null {
  const decisions = eventsOfEachKind(request).map((event) => decideChange({ ...request, event, isStale: false }))
  if (decisions.some(({ kind }) => kind === 'change')) return null
  return decisions.find(isAboutContent) ?? null
}

function isAboutContent(decision: Decision): decision is Refusal {
  return decision.kind === 'refusal' && (decision.code === 'bad-change' || decision.code === 'unknown-owner')
}

/** Each status, owned by the one who asks, by the system, by nobody; closed ones with each kind of fields. */
function eventsOfEachKind({ actor, change }: Pick<RequestedChange, 'actor' | 'change'>): ServiceEventState[] {
  const open = {
    reasonClosed: null,
    reasonClosedComment: null,
    serviceMaxCaseNumber: null,
    serviceMaxUrl: null,
  }
  const withCase = { ...open, reasonClosed: 'Service Case Created', serviceMaxUrl: OTHER_TEXT } as const
  return [actor.id, SYSTEM_USER_ID, null].flatMap((claimedBy): ServiceEventState[] => [
    { ...open, alertStatus: '2_IN_PROGRESS', claimedBy },
    { ...open, alertStatus: '1_NEW', claimedBy },
    {
      ...open,
      alertStatus: '3_CLOSED',
      claimedBy,
      reasonClosed: change.reasonClosed ?? 'No action required',
      reasonClosedComment: OTHER_TEXT,
    },
    { ...withCase, alertStatus: '3_CLOSED', claimedBy, serviceMaxCaseNumber: OTHER_TEXT },
    // Where only its URL is to be changed.
    { ...withCase, alertStatus: '3_CLOSED', claimedBy, serviceMaxCaseNumber: null },
  ])
}
