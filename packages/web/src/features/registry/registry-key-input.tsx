import { TextInput } from '@mantine/core'
import { hintBelow } from '../../ui/hint-below.ts'
import type { RegistryKind } from './registry.api.ts'
import { registryFields } from './registry-fields.ts'
import { TemplateKeyFields } from './template-key-fields.tsx'

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
  const [instrumentType = '', templateId = ''] = props.value.split('/')
  const key = { instrumentType, templateId }
  return (
    <TemplateKeyFields
      value={key}
      idLabel="Template id"
      problems={{ instrumentType: props.error !== undefined && instrumentType === '', templateId: props.error }}
      onChange={(edits) => {
        const edited = { ...key, ...edits }
        props.onChange(`${edited.instrumentType}/${edited.templateId.replaceAll('/', '')}`)
      }}
    />
  )
}
