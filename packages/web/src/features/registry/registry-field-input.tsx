import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import form from '../../ui/form.module.css'
import { hintBelow } from '../../ui/hint-below.ts'
import { HtmlField } from '../../ui/html-field.tsx'
import { ReferenceInput } from './reference-input.tsx'
import type { RegistryField } from './registry-fields.ts'
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
      return input.html ? (
        <HtmlField {...own} maxLength={input.maxLength} value={text} onChange={onChange} />
      ) : (
        <div data-wide>
          <Textarea
            {...usual}
            autosize
            minRows={2}
            maxRows={16}
            maxLength={input.maxLength}
            value={text}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
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
