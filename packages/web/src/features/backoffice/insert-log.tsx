import {
  type LogForm,
  type LogFormField,
  logFormLabels as labels,
  readLogForm,
  requiredLogFields,
} from '@benchwatch/contract/administration/backoffice-forms'
import { type LogType, logTypes } from '@benchwatch/contract/vocabulary'
import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { formatZone } from '../../lib/time/dates.ts'
import { useRecordForm } from '../../ui/form/record-form.tsx'
import { showSuccess } from '../../ui/overlay/toasts.ts'
import { logLabel } from '../logs/log-labels.ts'
import { useInjectLog } from './backoffice.api.ts'
import { failureToast, formInstant, InstrumentInput, type OnUnsaved, problemsIn, ToolForm } from './tool-form.tsx'

/** The maximum lengths of the fields that only some types of logs need. */
const lengths: Partial<Record<LogFormField, number>> = {
  module: 120,
  componentName: 120,
  errorCode: 40,
  logLevel: 40,
  eventCode: 40,
  winlogUserName: 200,
  hostHostname: 200,
  enterprise: 200,
}

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

/** Returns the further fields that a log of this type needs. */
export function logFieldsOf(logType: string): LogFormField[] {
  return logType === '' ? [] : requiredLogFields(logType as LogType, false).filter((field) => field in lengths)
}

/** Builds the request. What was typed into a field that the type does not need is not sent. */
export function logBody(values: Values): LogForm {
  const { logType, instrumentInstalledProductId, message } = values
  const further = Object.fromEntries(logFieldsOf(logType).map((field) => [field, values[field]]))
  return { logType, instrumentInstalledProductId, message, ...further, timestamp: formInstant(values.timestamp) }
}

/** Writes one line into a log as if the instrument or its client had sent it. */
export function InsertLog({ onUnsaved }: { onUnsaved: OnUnsaved }) {
  const inject = useInjectLog()
  const form = useRecordForm<Values>({
    record: empty,
    keepOnPage: 'log',
    problemsOf: (values) => problemsIn(readLogForm(logBody(values), { now: new Date() }).errors),
    save: async (values) => {
      await inject.mutateAsync(logBody(values) as Partial<Values>)
      showSuccess({ title: 'Log inserted' })
      // The next line often belongs to the same log, so the other fields stay.
      return { ...values, message: '', timestamp: '' }
    },
    onFailure: failureToast('Could not insert log'),
  })
  const { logType, instrumentInstalledProductId } = form.values
  const isClient = logType === 'UNICORNCLIENT'
  return (
    <ToolForm
      form={form}
      title="Insert log"
      anchor="insert-log"
      intro="Writes one line into an instrument’s log, as if the instrument or its client had sent it."
      submitLabel="Insert log"
      onUnsaved={onUnsaved}
      onClear={() => form.accept(empty)}
    >
      <NativeSelect
        label={labels.logType}
        required
        data={[
          { value: '', label: 'Choose a log' },
          ...logTypes.map((type) => ({ value: type, label: logLabel({ logType: type, computerName: null }) })),
        ]}
        {...form.getInputProps('logType')}
      />
      <InstrumentInput
        required={!isClient}
        reaches="Its users can read inserted lines."
        description={isClient ? 'If empty, host hostname and enterprise identify the client.' : undefined}
        {...form.getInputProps('instrumentInstalledProductId')}
      />
      <Textarea
        wrapperProps={{ 'data-wide': true }}
        label={labels.message}
        required
        autosize
        minRows={2}
        maxRows={8}
        maxLength={20_000}
        {...form.getInputProps('message')}
      />
      {logFieldsOf(logType).map((field) => (
        <TextInput
          key={field}
          label={labels[field]}
          required={!isClient || instrumentInstalledProductId === ''}
          maxLength={lengths[field]}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps(field)}
        />
      ))}
      <TextInput
        type="datetime-local"
        step={1}
        label={labels.timestamp}
        description={`Empty: now. Your time: ${formatZone()}.`}
        {...form.getInputProps('timestamp')}
      />
    </ToolForm>
  )
}
