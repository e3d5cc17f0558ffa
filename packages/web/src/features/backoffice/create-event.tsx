import {
  creatableAlertSources,
  type EventForm,
  type EventFormField,
  type FieldError,
  eventFormLabels as labels,
  readEventForm,
} from '@benchwatch/contract/backoffice-forms'
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
import type { FieldProblems } from '../../lib/http.ts'
import { pageSettings } from '../../lib/page-settings.ts'
import { eventName } from '../../lib/screen-name.ts'
import { formatZone } from '../../lib/time/dates.ts'
import { hintBelow } from '../../ui/form/code-field.tsx'
import { showSuccess } from '../../ui/overlay/toasts.ts'
import { Notice } from '../../ui/text/notice.tsx'
import { usersQuery } from '../users/users.api.ts'
import { useCreateEvent } from './backoffice.api.ts'
import styles from './backoffice.module.css'
import { formInstant, InstrumentInput, type OnUnsaved, ToolForm, useTool, wallClockOf } from './tool-form.tsx'

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
  const [values, setValues] = useState(() => emptyEvent(new Date()))
  const [created, setCreated] = useState<{ eventId: string } | null>(null)
  const users = useQuery(usersQuery())
  const create = useCreateEvent()
  const { isPending, problems, refusals, run, noteEdit, noteClear } = useTool('Could not create event', onUnsaved)
  function edit(edits: Partial<EventValues>) {
    setValues((known) => editedEvent(known, edits))
    noteEdit(Object.keys(edits))
  }

  async function submit() {
    setCreated(null)
    const form = eventBody(values)
    const done = await run(async () => setCreated(await create.mutateAsync(form)), eventErrors(form, new Date()))
    if (!done) return
    showSuccess({ title: 'Event created' })
    // The next event is another alarm.
    setValues((known) => editedEvent(known, { alertId: '' }))
  }

  const select = (field: keyof EventValues, data: { value: string; label: string }[], isRequired = true) => (
    <NativeSelect
      label={labels[field]}
      required={isRequired}
      disabled={field === 'reasonClosed' && isReasonDisabled(values)}
      value={values[field]}
      error={problems[field]}
      data={data}
      onChange={({ currentTarget }) => edit({ [field]: currentTarget.value })}
    />
  )

  return (
    <ToolForm
      title="Create event"
      anchor="create-event"
      intro="The event is handled like one from a gateway: it is listed, users are notified, and the contact may receive an e-mail."
      submitLabel="Create event"
      isPending={isPending}
      refusals={refusals}
      onSubmit={() => void submit()}
      onClear={() => {
        setValues(emptyEvent(new Date()))
        setCreated(null)
        noteClear()
      }}
    >
      <InstrumentInput
        required
        value={values.instrumentInstalledProductId}
        error={problems.instrumentInstalledProductId}
        reaches="Events created here may send e-mails to its contacts."
        onChange={(instrumentInstalledProductId) => edit({ instrumentInstalledProductId })}
      />
      <EventTexts values={values} problems={problems} onChange={edit} />
      {select('severity', [
        { value: '', label: 'Choose a severity' },
        ...severities.map((severity) => ({ value: severity, label: severityNames[severity] })),
      ])}
      {select(
        'alertType',
        alertTypes.map((type) => ({ value: String(type), label: alertTypeLabels[type] })),
      )}
      {select(
        'alertSource',
        creatableAlertSources.map((source) => ({ value: source, label: sourceLabels[source] })),
      )}
      <TextInput
        label={labels.alertId}
        required
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        value={values.alertId}
        error={problems.alertId}
        inputWrapperOrder={hintBelow}
        description="The instrument’s identifier for this alarm, used to clear it."
        rightSectionWidth={86}
        rightSection={
          <Button
            variant="subtle"
            size="compact-xs"
            aria-label="Generate alert ID"
            onClick={() => edit({ alertId: `BO-${crypto.randomUUID().slice(0, 8)}` })}
          >
            Generate
          </Button>
        }
        onChange={({ currentTarget }) => edit({ alertId: currentTarget.value })}
      />
      {(['createdAt', 'logGeneratedAt'] as const).map((field) => (
        <TextInput
          key={field}
          type="datetime-local"
          step={1}
          label={labels[field]}
          required={field === 'createdAt'}
          inputWrapperOrder={hintBelow}
          description={
            field === 'createdAt'
              ? `Your time: ${formatZone()}.`
              : `Empty: same as created. Your time: ${formatZone()}.`
          }
          value={values[field]}
          error={problems[field]}
          onChange={({ currentTarget }) => edit({ [field]: currentTarget.value })}
        />
      ))}
      {select(
        'alertStatus',
        alertStatuses.map((status) => ({ value: status, label: alertStatusLabels[status] })),
      )}
      <NativeSelect
        label={labels.claimedBy}
        required={values.alertStatus !== '1_NEW'}
        disabled={values.alertStatus === '1_NEW'}
        value={values.claimedBy}
        error={problems.claimedBy ?? (users.isError ? 'Could not get the owners. Reload the page.' : undefined)}
        data={[
          { value: '', label: values.alertStatus === '1_NEW' ? 'No owner' : 'Choose an owner' },
          ...(users.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={({ currentTarget }) => edit({ claimedBy: currentTarget.value })}
      />
      {select(
        'reasonClosed',
        [
          { value: '', label: 'Choose a reason' },
          ...personCloseReasons.map((reason) => ({ value: reason, label: reason })),
        ],
        values.alertStatus === '3_CLOSED',
      )}
      <ClosingFields values={values} problems={problems} onChange={edit} />
      {created !== null && (
        <div data-wide>
          <Notice tone="info">
            Event created:{' '}
            <Link to="/events/$eventId" params={{ eventId: created.eventId }} className={styles.inText}>
              {eventName(created)}
            </Link>
          </Notice>
        </div>
      )}
    </ToolForm>
  )
}

/** Fields that depend on the reason of a closed event: a comment, or the service case. */
function ClosingFields(props: {
  values: EventValues
  problems: FieldProblems
  onChange: (edits: Partial<EventValues>) => void
}) {
  const { reasonClosed } = props.values
  const isCase = reasonClosed === 'Service Case Created'
  const fields = [
    { field: 'reasonClosedComment', maxLength: limits.reasonClosedComment, isOpen: reasonClosed !== '' && !isCase },
    { field: 'serviceMaxCaseNumber', maxLength: 40, isOpen: isCase },
    { field: 'serviceMaxUrl', maxLength: limits.serviceMaxUrl, isOpen: isCase },
  ] as const
  return fields.map(({ field, maxLength, isOpen }) => (
    <TextInput
      key={field}
      label={labels[field]}
      disabled={!isOpen}
      required={isOpen && field === 'serviceMaxCaseNumber'}
      maxLength={maxLength}
      autoComplete="off"
      spellCheck={false}
      value={props.values[field]}
      error={props.problems[field]}
      onChange={({ currentTarget }) => props.onChange({ [field]: currentTarget.value })}
    />
  ))
}

/** The texts of the event and its template ID. */
function EventTexts({
  values,
  problems,
  onChange,
}: {
  values: EventValues
  problems: FieldProblems
  onChange: (edits: Partial<EventValues>) => void
}) {
  return (
    <>
      <TextInput
        label={labels.templateId}
        required
        maxLength={60}
        autoComplete="off"
        spellCheck={false}
        inputWrapperOrder={hintBelow}
        description="Module code and error number, such as P9B-1042."
        value={values.templateId}
        error={problems.templateId}
        onChange={({ currentTarget }) => onChange({ templateId: currentTarget.value })}
      />
      <TextInput
        wrapperProps={{ 'data-wide': true }}
        label={labels.componentName}
        required
        maxLength={200}
        autoComplete="off"
        placeholder="Pump B (P9-B)"
        value={values.componentName}
        error={problems.componentName}
        onChange={({ currentTarget }) => onChange({ componentName: currentTarget.value })}
      />
      {(['description', 'userMessage'] as const).map((field) => (
        <Textarea
          key={field}
          label={labels[field]}
          required
          autosize
          minRows={2}
          maxRows={8}
          maxLength={10_000}
          value={values[field]}
          error={problems[field]}
          onChange={({ currentTarget }) => onChange({ [field]: currentTarget.value })}
        />
      ))}
    </>
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

/** Reason fields are disabled for New and In progress (document 2 section 5). */
export function isReasonDisabled({ alertStatus }: EventValues): boolean {
  return alertStatus !== '3_CLOSED'
}

/** Applies edits and empties the fields that they disable, so that no hidden value is sent. */
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

/** Builds the body of the request. */
export function eventBody(values: EventValues): EventValues {
  return {
    ...values,
    createdAt: formInstant(values.createdAt),
    logGeneratedAt: formInstant(values.logGeneratedAt),
  }
}

/** Checks the form by the rules of the server and the settings of this deployment. */
export function eventErrors(form: EventForm, now: Date): readonly FieldError[] {
  const { caseNumberPattern, caseUrlHosts } = pageSettings()
  return readEventForm(form, { now, caseNumberPattern: new RegExp(caseNumberPattern), caseUrlHosts }).errors ?? []
}
