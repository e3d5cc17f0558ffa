import { Fragment } from 'react'
import type { FieldProblems } from '../../lib/field-problems.ts'
import form from '../../ui/form.module.css'
import type { RegistryDraft } from './registry-draft.ts'
import { RegistryFieldInput } from './registry-field-input.tsx'
import type { RegistryField } from './registry-fields.ts'

/** All fields of a kind, in their groups. */
export function RegistryFormFields(props: {
  fields: readonly RegistryField[]
  values: RegistryDraft
  problems: FieldProblems
  onChange: (edits: RegistryDraft) => void
}) {
  return props.fields.map((field) => (
    <Fragment key={field.name}>
      {field.opens !== undefined && <h2 className={form.legend}>{field.opens}</h2>}
      <RegistryFieldInput
        field={field}
        value={props.values[field.name] ?? ''}
        error={props.problems[field.name]}
        onChange={(value) => props.onChange({ [field.name]: value })}
      />
    </Fragment>
  ))
}
