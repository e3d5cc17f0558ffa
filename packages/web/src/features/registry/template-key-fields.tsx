import { NativeSelect, TextInput } from '@mantine/core'
import { useInstrumentTypes } from '../../lib/instrument-type.ts'
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
  const types = useInstrumentTypes()
  return (
    <>
      <NativeSelect
        label="Instrument type"
        description="It cannot be changed later."
        required
        autoFocus
        data={[
          { value: '', label: 'Choose…' },
          ...(types?.types.map(({ key, label }) => ({ value: key, label })) ?? []),
        ]}
        {...form.getInputProps('instrumentType')}
      />
      <TextInput
        label={idLabel}
        description="Module code, a hyphen, and the number or name of the error, such as P9B-1042."
        required
        autoComplete="off"
        spellCheck={false}
        maxLength={81}
        {...form.getInputProps('templateId')}
      />
    </>
  )
}
