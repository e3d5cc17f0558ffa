import { creatableAlertSources, eventFormLabels as labels } from '@benchwatch/contract/backoffice-event-form'
import {
  alertStatuses,
  alertStatusLabels,
  alertTypeLabels,
  alertTypes,
  personCloseReasons,
  severities,
  severityNames,
} from '@benchwatch/contract/vocabulary'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { zoneLabel } from '../../lib/dates.ts'
import { eventName } from '../../lib/event-name.ts'
import { hintBelow } from '../../ui/hint-below.ts'
import { Notice } from '../../ui/notice.tsx'
import { showSuccess } from '../../ui/toasts.ts'
import { usersQuery } from '../users/users.api.ts'
import { useCreateEvent } from './backoffice.api.ts'
import styles from './backoffice.module.css'
import { ClosingFields } from './closing-fields.tsx'
import { type EventValues, editedEvent, emptyEvent, eventBody, eventErrors, isReasonDisabled } from './event-form.ts'
import { EventTexts } from './event-texts.tsx'
import { InstrumentInput } from './instrument-input.tsx'
import { ToolForm } from './tool-form.tsx'
import { type OnUnsaved, useTool } from './use-tool.ts'

const sourceWords: Record<(typeof creatableAlertSources)[number], string> = {
  INSTRUMENT: 'Instrument, entered by hand',
  OFFLINE: 'Offline, entered by hand',
  BACKOFFICE: 'Back office',
  TEST: 'Test, entered by hand',
}

/** An event that goes the same way as one from a gateway: it is listed, told and mailed. */
export function CreateEvent({ onUnsaved }: { onUnsaved: OnUnsaved }) {
  const [values, setValues] = useState(() => emptyEvent(new Date()))
  const [made, setMade] = useState<{ eventId: string } | null>(null)
  const users = useQuery(usersQuery())
  const create = useCreateEvent()
  const { isPending, problems, refusals, run, noteEdit, noteClear } = useTool('Could not create event', onUnsaved)
  function edit(edits: Partial<EventValues>) {
    setValues((known) => editedEvent(known, edits))
    noteEdit(Object.keys(edits))
  }

  async function submit() {
    setMade(null)
    const form = eventBody(values)
    const done = await run(async () => setMade(await create.mutateAsync(form)), eventErrors(form, new Date()))
    if (!done) return
    showSuccess({ title: 'Event created' })
    // The next one is another alarm.
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
      intro="The event goes the same way as one from a gateway: it is listed, people are told of it, and its contact is mailed."
      submitLabel="Create event"
      isPending={isPending}
      refusals={refusals}
      onSubmit={() => void submit()}
      onClear={() => {
        setValues(emptyEvent(new Date()))
        setMade(null)
        noteClear()
      }}
    >
      <InstrumentInput
        required
        value={values.instrumentInstalledProductId}
        error={problems.instrumentInstalledProductId}
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
        creatableAlertSources.map((source) => ({ value: source, label: sourceWords[source] })),
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
        description="The instrument’s own name of this alarm, by which it is cleared."
        rightSectionWidth={86}
        rightSection={
          <Button
            variant="subtle"
            size="compact-xs"
            aria-label="Make one: an alert id"
            onClick={() => edit({ alertId: `BO-${crypto.randomUUID().slice(0, 8)}` })}
          >
            Make one
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
            field === 'createdAt' ? `Your time: ${zoneLabel()}.` : `As created, where it is empty. ${zoneLabel()}.`
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
        error={problems.claimedBy ?? (users.isError ? 'Owners could not be read. Reload the page.' : undefined)}
        data={[
          { value: '', label: values.alertStatus === '1_NEW' ? 'Nobody' : 'Choose an owner' },
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
      {made !== null && (
        <div data-wide>
          <Notice tone="info">
            Event created:{' '}
            <Link to="/events/$eventId" params={{ eventId: made.eventId }} className={styles.inText}>
              {eventName(made)}
            </Link>
          </Notice>
        </div>
      )}
    </ToolForm>
  )
}
