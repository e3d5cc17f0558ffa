import { roles } from '@benchwatch/contract/vocabulary'
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import type { FieldProblems } from '../../lib/field-problems.ts'
import form from '../../ui/form.module.css'
import { hintBelow } from '../../ui/hint-below.ts'
import { type AccountForm, accountFieldLabels as labels } from './account-form.ts'
import { roleWords } from './account-words.ts'
import { CustomerChoice } from './customer-choice.tsx'

/** Name, role, data scope, number and SMS codes: the same for an invitation and for later. */
export function AccountFields(props: {
  values: AccountForm
  problems: FieldProblems
  /** Nobody takes their own role away. */
  isOwn: boolean
  onChange: (edits: Partial<AccountForm>) => void
}) {
  const { values, problems, onChange } = props
  return (
    <>
      <TextInput
        label={labels.name}
        required
        autoComplete="off"
        maxLength={120}
        value={values.name}
        error={problems.name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <NativeSelect
        label={labels.role}
        disabled={props.isOwn}
        inputWrapperOrder={hintBelow}
        description={props.isOwn ? 'Another administrator can change yours.' : undefined}
        value={values.role}
        error={problems.role}
        data={roles.map((role) => ({ value: role, label: roleWords[role] }))}
        onChange={({ currentTarget }) => onChange({ role: currentTarget.value as AccountForm['role'] })}
      />
      <CustomerChoice
        customers={values.customers}
        mayHaveAll={values.role !== 'customer'}
        error={problems.customers}
        onChange={(customers) => onChange({ customers })}
      />
      <TextInput
        label={labels.msisdn}
        type="tel"
        autoComplete="off"
        placeholder="+46 70 555 01 01"
        maxLength={30}
        value={values.msisdn}
        error={problems.msisdn}
        onChange={({ currentTarget }) => onChange({ msisdn: currentTarget.value })}
      />
      <Checkbox
        className={form.box}
        label="Ask for an SMS code at sign-in"
        checked={values.smsMfa}
        error={problems.smsMfa}
        onChange={({ currentTarget }) => onChange({ smsMfa: currentTarget.checked })}
      />
    </>
  )
}
