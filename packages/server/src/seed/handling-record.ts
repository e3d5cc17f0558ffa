import type { AlertStatus } from '@benchwatch/contract/vocabulary'
import type { AuditEntry } from '../db/audit.ts'
import { type HandledState, type HandlingStep, unhandled } from './handling.ts'

const wireStatus: Record<HandledState['status'], AlertStatus> = {
  new: '1_NEW',
  'in progress': '2_IN_PROGRESS',
  closed: '3_CLOSED',
}

/** The record of each step as a change by hand writes it: one entry per property that differs from the step before. */
export function recordOf(steps: readonly HandlingStep[]): { step: HandlingStep; entries: AuditEntry[] }[] {
  let before = asRecorded(unhandled)
  return steps.map((step) => {
    const after = asRecorded(step.state)
    const entries = after.flatMap(([property, newValue], index) => {
      const oldValue = before[index]?.[1] ?? null
      return oldValue === newValue ? [] : [{ action: 'update', property, oldValue, newValue }]
    })
    before = after
    return { step, entries }
  })
}

function asRecorded(state: HandledState): [property: string, value: string | null][] {
  return [
    ['alertStatus', wireStatus[state.status]],
    ['claimedBy', state.owner === null ? null : String(state.owner.id)],
    ['reasonClosed', state.reason],
    ['reasonClosedComment', state.comment],
    ['serviceMaxCaseNumber', state.caseNumber],
    ['serviceMaxUrl', state.caseUrl],
  ]
}
