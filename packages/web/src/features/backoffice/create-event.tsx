import {
  creatableAlertSources,
  type EventForm,
  type EventFormField,
  type FieldError,
  eventFormLabels as labels,
  readEventForm,
} from '@benchwatch/contract/administration/backoffice-forms'
import {
  alertStatuses,
  alertStatusLabels,
  alertTypeLabels,
  alertTypes,
  limits,
  personCloseReasons,
  severities,
  severityNames,
} from '@benchwatch/contract/vocabulary'
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { pageSettings } from '../../lib/page-settings.ts'
import { eventName } from '../../lib/screen-name.ts'
import { formatZone } from '../../lib/time/dates.ts'
import { useRecordForm } from '../../ui/form/record-form.tsx'
import { showSuccess } from '../../ui/overlay/toasts.ts'
import { Notice } from '../../ui/text/notice.tsx'
import { usersQuery } from '../users/users.api.ts'
import { useCreateEvent } from './backoffice.api.ts'
import {
  failureToast,
  formInstant,
  InstrumentInput,
  type OnUnsaved,
  problemsIn,
  ToolForm,
  wallClockOf,
} from './tool-form.tsx'

/** The values of the form 'Create event'. Times are in the browser's time zone. */
type EventValues = Record<EventFormField, string>

const sourceLabels: Record<(typeof creatableAlertSources)[number], string> = {
  INSTRUMENT: 'Instrument (manual)',
  OFFLINE: 'Offline (manual)',
  BACKOFFICE: 'Back office',
  TEST: 'Test (manual)',
}

/** Creates an event that is listed, notified and e-mailed like one from a gateway. */
export function CreateEvent({ onUnsaved }: { onUnsaved: OnUnsaved }) {
  const [initial] = useState(() => emptyEvent(new Date()))
  const [created, setCreated] = useState<{ eventId: string } | null>(null)
  const users = useQuery(usersQuery())
  const create = useCreateEvent()
  const form = useRecordForm<EventValues>({
    record: initial,
    keepOnPage: 'new event',
    problemsOf: (values) => problemsIn(eventErrors(eventBody(values), new Date())),
    save: async (values) => {
      setCreated(null)
      setCreated(await create.mutateAsync(eventBody(values) as Partial<EventValues>))
      showSuccess({ title: 'Event created' })
      // The next event is another alarm.
      return { ...values, alertId: '' }
    },
    onFailure: failureToast('Could not create event'),
  })
  const { values } = form
  const isNew = values.alertStatus === '1_NEW'
  const isCase = !isLeftOut('serviceMaxCaseNumber', values)
  const field = (name: EventFormField) => ({ label: labels[name], ...form.getInputProps(name) })
  const line = (name: EventFormField, maxLength: number) => ({
    maxLength,
    autoComplete: 'off',
    spellCheck: false,
    ...field(name),
  })

  return (
    <ToolForm
      form={form}
      title="Create event"
      anchor="create-event"
      intro="The event is handled like one from a gateway: it is listed, users are notified, and the contact may receive an e-mail."
      submitLabel="Create event"
      onUnsaved={onUnsaved}
      onClear={() => {
        form.accept(emptyEvent(new Date()))
        setCreated(null)
      }}
    >
      <InstrumentInput
        required
        reaches="Events created here may send e-mails to its contacts."
        {...form.getInputProps('instrumentInstalledProductId')}
      />
      <TextInput
        required
        description="Module code and error number or name, such as P9B-1042."
        {...line('templateId', 60)}
      />
      <TextInput
        required
        wrapperProps={{ 'data-wide': true }}
        placeholder="Pump B (P9-B)"
        {...line('componentName', 200)}
      />
      {(['description', 'userMessage'] as const).map((name) => (
        <Textarea key={name} required autosize minRows={2} maxRows={8} maxLength={10_000} {...field(name)} />
      ))}
      <NativeSelect
        required
        data={[
          { value: '', label: 'Choose a severity' },
          ...severities.map((severity) => ({ value: severity, label: severityNames[severity] })),
        ]}
        {...field('severity')}
      />
      <NativeSelect
        required
        data={alertTypes.map((type) => ({ value: String(type), label: alertTypeLabels[type] }))}
        {...field('alertType')}
      />
      <NativeSelect
        required
        data={creatableAlertSources.map((source) => ({ value: source, label: sourceLabels[source] }))}
        {...field('alertSource')}
      />
      <TextInput
        required
        description="The instrument’s identifier for this alarm, used to clear it."
        rightSectionWidth={86}
        rightSection={
          <Button
            variant="subtle"
            size="compact-xs"
            aria-label="Generate alert ID"
            onClick={() => form.change({ alertId: `BO-${crypto.randomUUID().slice(0, 8)}` })}
          >
            Generate
          </Button>
        }
        {...line('alertId', 100)}
      />
      <TextInput
        type="datetime-local"
        step={1}
        required
        description={`Your time: ${formatZone()}.`}
        {...field('createdAt')}
      />
      <TextInput
        type="datetime-local"
        step={1}
        description={`Empty: same as created. Your time: ${formatZone()}.`}
        {...field('logGeneratedAt')}
      />
      <NativeSelect
        required
        data={alertStatuses.map((status) => ({ value: status, label: alertStatusLabels[status] }))}
        {...field('alertStatus')}
      />
      {!isNew && (
        <NativeSelect
          required
          data={[
            { value: '', label: 'Choose an owner' },
            ...(users.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          {...field('claimedBy')}
          {...(users.isError && { error: 'Could not get the owners. Reload the page.' })}
        />
      )}
      <NativeSelect
        required={values.alertStatus === '3_CLOSED'}
        disabled={isLeftOut('reasonClosed', values)}
        data={[
          { value: '', label: 'Choose a reason' },
          ...personCloseReasons.map((reason) => ({ value: reason, label: reason })),
        ]}
        {...field('reasonClosed')}
      />
      {isCase ? (
        <>
          <TextInput required {...line('serviceMaxCaseNumber', 40)} />
          <TextInput {...line('serviceMaxUrl', limits.serviceMaxUrl)} />
        </>
      ) : (
        <TextInput
          disabled={isLeftOut('reasonClosedComment', values)}
          {...line('reasonClosedComment', limits.reasonClosedComment)}
        />
      )}
      {created !== null && (
        <div data-wide>
          <Notice tone="info">
            Event created:{' '}
            <Link to="/events/$eventId" params={{ eventId: created.eventId }} style={{ textDecoration: 'underline' }}>
              {eventName(created)}
            </Link>
          </Notice>
        </div>
      )}
    </ToolForm>
  )
}

/** Returns the initial form: a new alarm, raised now. */
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

/** Returns true for the fields that the chosen status and reason leave out: they are hidden or disabled. */
export function isLeftOut(field: EventFormField, { alertStatus, reasonClosed }: EventValues): boolean {
  const isClosed = alertStatus === '3_CLOSED'
  const isCase = isClosed && reasonClosed === 'Service Case Created'
  switch (field) {
    case 'claimedBy':
      return alertStatus === '1_NEW'
    case 'reasonClosed':
      return !isClosed
    case 'reasonClosedComment':
      return !isClosed || isCase
    case 'serviceMaxCaseNumber':
    case 'serviceMaxUrl':
      return !isCase
    default:
      return false
  }
}

/** Builds the body of the request. What was typed into a field that is left out is not sent. */
export function eventBody(values: EventValues): EventForm {
  const sent = Object.entries(values).filter(([field]) => !isLeftOut(field as EventFormField, values))
  return {
    ...Object.fromEntries(sent),
    createdAt: formInstant(values.createdAt),
    logGeneratedAt: formInstant(values.logGeneratedAt),
  }
}

/** Checks the form by the rules of the server and the settings of this deployment. */
export function eventErrors(form: EventForm, now: Date): readonly FieldError[] {
  const { caseNumberPattern, caseUrlHosts } = pageSettings()
  return readEventForm(form, { now, caseNumberPattern: new RegExp(caseNumberPattern), caseUrlHosts }).errors ?? []
}
