import { instrumentTypeLabels, instrumentTypes } from '@benchwatch/contract/vocabulary'
import { NativeSelect, TextInput } from '@mantine/core'
import { hintBelow } from '../../ui/form/code-field.tsx'

interface TemplateKey {
  instrumentType: string
  templateId: string
}

/**
 * The two parts of a template's key: the instrument type and, labelled `idLabel`, the template id. For a form's grid.
 */
export function TemplateKeyFields(props: {
  value: TemplateKey
  idLabel: string
  problems: { instrumentType?: string | boolean | undefined; templateId?: string | undefined }
  onChange: (edits: Partial<TemplateKey>) => void
}) {
  const { value, problems, onChange } = props
  return (
    <>
      <NativeSelect
        label="Instrument type"
        inputWrapperOrder={hintBelow}
        description="It cannot be changed later."
        required
        autoFocus
        value={value.instrumentType}
        error={problems.instrumentType}
        onChange={({ currentTarget }) => onChange({ instrumentType: currentTarget.value })}
      >
        <option value="">Choose…</option>
        {instrumentTypes.map((type) => (
          <option key={type} value={type}>
            {instrumentTypeLabels[type]}
          </option>
        ))}
      </NativeSelect>
      <TextInput
        label={props.idLabel}
        inputWrapperOrder={hintBelow}
        description="Module code and error number, such as P9B-1042."
        required
        autoComplete="off"
        spellCheck={false}
        maxLength={60}
        value={value.templateId}
        error={problems.templateId}
        onChange={({ currentTarget }) => onChange({ templateId: currentTarget.value })}
      />
    </>
  )
}
