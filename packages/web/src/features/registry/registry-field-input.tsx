import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import form from '../../ui/form.module.css'
import { hintBelow } from '../../ui/hint-below.ts'
import { RichText } from '../../ui/rich-text.tsx'
import { ReferenceInput } from './reference-input.tsx'
import type { RegistryField } from './registry-fields.ts'
import styles from './registry-form.module.css'
import { TimeZoneInput } from './time-zone-input.tsx'

/** The control of one field, as its description says. */
export function RegistryFieldInput(props: {
  field: RegistryField
  value: string | boolean
  error: string | undefined
  onChange: (value: string | boolean) => void
}) {
  const { field, error, onChange } = props
  const { input, label } = field
  const text = typeof props.value === 'string' ? props.value : ''
  const own = { label, error, description: field.hint, required: field.required === true }
  const usual = { ...own, inputWrapperOrder: hintBelow }
  switch (input.kind) {
    case 'yes-no':
      return (
        <Checkbox
          className={form.box}
          label={label}
          error={error}
          checked={props.value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      )
    case 'choice':
      return (
        <NativeSelect {...usual} value={text} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          <option value="">Choose…</option>
          {input.options.map(({ value, label: words }) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </NativeSelect>
      )
    case 'reference':
      return <ReferenceInput {...own} to={input.to} value={text} onChange={onChange} />
    case 'time-zone':
      return <TimeZoneInput {...own} value={text} onChange={onChange} />
    case 'lines':
      return (
        <div data-wide className={input.html ? styles.html : undefined}>
          <Textarea
            {...usual}
            autosize
            minRows={input.html ? 5 : 2}
            maxRows={16}
            maxLength={input.maxLength}
            value={text}
            classNames={input.html ? { input: styles.code ?? '' } : {}}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
          {input.html && <Preview html={text} label={label} />}
        </div>
      )
    case 'date':
      return (
        <TextInput
          {...usual}
          type="date"
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )
    case 'number':
    case 'text':
      return (
        <TextInput
          {...usual}
          autoComplete="off"
          inputMode={input.kind === 'number' ? 'decimal' : 'text'}
          maxLength={input.kind === 'text' ? input.maxLength : 20}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )
  }
}

/** What people will see of the HTML: purified as the event's page does it. */
function Preview({ html, label }: { html: string; label: string }) {
  return (
    <section className={styles.preview} aria-label={`${label}, as it will be shown`}>
      <p className={styles.previewHead}>As it will be shown</p>
      {html.trim() === '' ? <p className={styles.quiet}>Nothing yet</p> : <RichText html={html} />}
    </section>
  )
}
