import { type EventForm, type EventFormField, readEventForm } from '@benchwatch/contract/backoffice-event-form'
import type { FieldError } from '@benchwatch/contract/form-fields'
import { pageSettings } from '../../lib/page-settings.ts'
import { formInstant, wallClockOf } from './form-time.ts'

/** The fields of 'Create event' as they stand on the screen; times are wall clocks of the viewer. */
export type EventValues = Record<EventFormField, string>

/** A form to begin with: a new alarm, raised now. */
export function emptyEvent(now: Date): EventValues {
  return {
    componentName: '',
    description: '',
    userMessage: '',
    severity: '',
    templateId: '',
    instrumentInstalledProductId: '',
    alertStatus: '1_NEW',
    alertType: '1',
    alertSource: 'BACKOFFICE',
    createdAt: wallClockOf(now),
    logGeneratedAt: '',
    alertId: '',
    claimedBy: '',
    reasonClosed: '',
    reasonClosedComment: '',
    serviceMaxCaseNumber: '',
    serviceMaxUrl: '',
  }
}

/** Reason fields are disabled for New or In progress: document 2 section 5. */
export function isReasonDisabled({ alertStatus }: EventValues): boolean {
  return alertStatus !== '3_CLOSED'
}

/** A change of the form with what follows from it: a field that is disabled is empty, so nobody sends what they cannot see. */
export function editedEvent(values: EventValues, edits: Partial<EventValues>): EventValues {
  const next = { ...values, ...edits }
  if (next.alertStatus === '1_NEW') next.claimedBy = ''
  if (isReasonDisabled(next)) next.reasonClosed = ''
  const isCase = next.reasonClosed === 'Service Case Created'
  if (isCase || next.reasonClosed === '') next.reasonClosedComment = ''
  if (!isCase) {
    next.serviceMaxCaseNumber = ''
    next.serviceMaxUrl = ''
  }
  return next
}

/** The body of the request. */
export function eventBody(values: EventValues): EventValues {
  return {
    ...values,
    createdAt: formInstant(values.createdAt),
    logGeneratedAt: formInstant(values.logGeneratedAt),
  }
}

/** What the server would say of it, by the same rules and this deployment's settings. */
export function eventErrors(form: EventForm, now: Date): readonly FieldError[] {
  const { caseNumberPattern, caseUrlHosts } = pageSettings()
  return readEventForm(form, { now, caseNumberPattern: new RegExp(caseNumberPattern), caseUrlHosts }).errors ?? []
}
