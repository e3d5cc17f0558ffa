import { instrumentTypeLabels, instrumentTypes } from '@benchwatch/contract/vocabulary'
import { NativeSelect, TextInput } from '@mantine/core'
import { hintBelow } from '../../ui/hint-below.ts'
import type { RegistryKind } from './registry.api.ts'
import { registryFields } from './registry-fields.ts'
import styles from './registry-form.module.css'

/** The key of a new object. It can't be changed later: everything refers to it. A template's has two parts. */
export function RegistryKeyInput(props: {
  kind: RegistryKind
  value: string
  error: string | undefined
  onChange: (key: string) => void
}) {
  const { keyLabel, keyHint } = registryFields[props.kind]
  if (props.kind === 'event-templates') return <TemplateKeyInput {...props} />
  return (
    <TextInput
      label={keyLabel}
      inputWrapperOrder={hintBelow}
      description={`${keyHint} It stays for good.`}
      required
      autoFocus
      autoComplete="off"
      spellCheck={false}
      maxLength={120}
      value={props.value}
      error={props.error}
      onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
    />
  )
}

function TemplateKeyInput(props: { value: string; error: string | undefined; onChange: (key: string) => void }) {
  const [type = '', templateId = ''] = props.value.split('/')
  return (
    <div data-wide className={styles.keyParts}>
      <NativeSelect
        label="Instrument type"
        inputWrapperOrder={hintBelow}
        description="It stays for good."
        required
        autoFocus
        value={type}
        error={props.error !== undefined && type === ''}
        onChange={({ currentTarget }) => props.onChange(`${currentTarget.value}/${templateId}`)}
      >
        <option value="">Choose…</option>
        {instrumentTypes.map((known) => (
          <option key={known} value={known}>
            {instrumentTypeLabels[known]}
          </option>
        ))}
      </NativeSelect>
      <TextInput
        label="Template id"
        inputWrapperOrder={hintBelow}
        description="Module code and error number, such as P9B-1042."
        required
        autoComplete="off"
        spellCheck={false}
        maxLength={60}
        value={templateId}
        error={props.error}
        onChange={({ currentTarget }) => props.onChange(`${type}/${currentTarget.value.replaceAll('/', '')}`)}
      />
    </div>
  )
}
