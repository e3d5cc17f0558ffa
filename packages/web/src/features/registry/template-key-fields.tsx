import { instrumentTypeLabels, instrumentTypes } from '@benchwatch/contract/vocabulary'
import { NativeSelect, TextInput } from '@mantine/core'
import type { RecordForm } from '../../ui/form/record-form.tsx'

/**
 * The two parts of a template's key: the instrument type and, labelled `idLabel`, the template id. For a form's grid.
 */
export function TemplateKeyFields({
  form,
  idLabel,
}: {
  form: Pick<RecordForm<Record<string, unknown>>, 'getInputProps'>
  idLabel: string
}) {
  return (
    <>
      <NativeSelect
        label="Instrument type"
        description="It cannot be changed later."
        required
        autoFocus
        data={[
          { value: '', label: 'Choose…' },
          ...instrumentTypes.map((type) => ({ value: type, label: instrumentTypeLabels[type] })),
        ]}
        {...form.getInputProps('instrumentType')}
      />
      <TextInput
        label={idLabel}
        description="Module code and error number, such as P9B-1042."
        required
        autoComplete="off"
        spellCheck={false}
        maxLength={60}
        {...form.getInputProps('templateId')}
      />
    </>
  )
}
