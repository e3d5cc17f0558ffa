import {
  type LogForm,
  type LogFormField,
  logFormLabels as labels,
  readLogForm,
  requiredLogFields,
} from '@benchwatch/contract/backoffice-forms'
import { type LogType, logTypes } from '@benchwatch/contract/vocabulary'
import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { formatZone } from '../../lib/time/dates.ts'
import { hintBelow } from '../../ui/form/code-field.tsx'
import { showSuccess } from '../../ui/overlay/toasts.ts'
import { logLabel } from '../logs/log-labels.ts'
import { useInjectLog } from './backoffice.api.ts'
import { formInstant, InstrumentInput, type OnUnsaved, ToolForm, useTool } from './tool-form.tsx'

/** Optional fields of a log line with their maximum lengths. */
const texts: { field: LogFormField; maxLength: number }[] = [
  { field: 'module', maxLength: 120 },
  { field: 'componentName', maxLength: 120 },
  { field: 'errorCode', maxLength: 40 },
  { field: 'logLevel', maxLength: 40 },
  { field: 'eventCode', maxLength: 40 },
  { field: 'winlogUserName', maxLength: 200 },
  { field: 'hostHostname', maxLength: 200 },
  { field: 'enterprise', maxLength: 200 },
]

type Values = Record<LogFormField, string>

const empty: Values = {
  message: '',
  logType: '',
  instrumentInstalledProductId: '',
  module: '',
  componentName: '',
  errorCode: '',
  logLevel: '',
  eventCode: '',
  winlogUserName: '',
  hostHostname: '',
  enterprise: '',
  timestamp: '',
}

/** Writes one line into a log as if the instrument or its client had sent it. */
export function InsertLog({ onUnsaved }: { onUnsaved: OnUnsaved }) {
  const [values, setValues] = useState(empty)
  const inject = useInjectLog()
  const { isPending, problems, refusals, run, noteEdit, noteClear } = useTool('Could not insert log', onUnsaved)
  const hasInstrument = values.instrumentInstalledProductId !== ''
  const required = new Set<LogFormField>(
    values.logType === ''
      ? ['instrumentInstalledProductId']
      : requiredLogFields(values.logType as LogType, hasInstrument),
  )
  function edit(edits: Partial<Values>) {
    setValues((known) => ({ ...known, ...edits }))
    noteEdit(Object.keys(edits))
  }

  async function submit() {
    const form: LogForm = { ...values, timestamp: formInstant(values.timestamp) }
    const done = await run(
      () => inject.mutateAsync(form as Record<LogFormField, string>),
      readLogForm(form, { now: new Date() }).errors,
    )
    if (!done) return
    showSuccess({ title: 'Log inserted' })
    // The next line often belongs to the same log, so the other fields stay.
    setValues((known) => ({ ...known, message: '', timestamp: '' }))
  }

  return (
    <ToolForm
      title="Insert log"
      anchor="insert-log"
      intro="Writes one line into an instrument’s log, as if the instrument or its client had sent it."
      submitLabel="Insert log"
      isPending={isPending}
      refusals={refusals}
      onSubmit={() => void submit()}
      onClear={() => {
        setValues(empty)
        noteClear()
      }}
    >
      <NativeSelect
        label={labels.logType}
        required
        value={values.logType}
        error={problems.logType}
        data={[
          { value: '', label: 'Choose a log' },
          ...logTypes.map((type) => ({ value: type, label: logLabel({ logType: type, computerName: null }) })),
        ]}
        onChange={({ currentTarget }) => edit({ logType: currentTarget.value })}
      />
      <InstrumentInput
        value={values.instrumentInstalledProductId}
        required={required.has('instrumentInstalledProductId')}
        error={problems.instrumentInstalledProductId}
        reaches="Its users can read inserted lines."
        description={
          values.logType === 'UNICORNCLIENT' ? 'If empty, host hostname and enterprise identify the client.' : undefined
        }
        onChange={(instrumentInstalledProductId) => edit({ instrumentInstalledProductId })}
      />
      <Textarea
        wrapperProps={{ 'data-wide': true }}
        label={labels.message}
        required
        autosize
        minRows={2}
        maxRows={8}
        maxLength={20_000}
        value={values.message}
        error={problems.message}
        onChange={({ currentTarget }) => edit({ message: currentTarget.value })}
      />
      {texts.map(({ field, maxLength }) => (
        <TextInput
          key={field}
          label={labels[field]}
          required={required.has(field)}
          maxLength={maxLength}
          autoComplete="off"
          spellCheck={false}
          value={values[field]}
          error={problems[field]}
          onChange={({ currentTarget }) => edit({ [field]: currentTarget.value })}
        />
      ))}
      <TextInput
        type="datetime-local"
        step={1}
        label={labels.timestamp}
        inputWrapperOrder={hintBelow}
        description={`Empty: now. Your time: ${formatZone()}.`}
        value={values.timestamp}
        error={problems.timestamp}
        onChange={({ currentTarget }) => edit({ timestamp: currentTarget.value })}
      />
    </ToolForm>
  )
}
