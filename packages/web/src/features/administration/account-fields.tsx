import { roles } from '@benchwatch/contract/vocabulary'
import { Checkbox, NativeSelect, Radio, Stack, TextInput } from '@mantine/core'
import type { FieldProblems } from '../../lib/http.ts'
import { hintBelow } from '../../ui/form/code-field.tsx'
import form from '../../ui/form/form.module.css'
import { type AccountForm, type ChosenCustomer, accountFieldLabels as labels, roleLabels } from './account-form.ts'
import '@mantine/core/styles/Radio.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SearchSelect } from '../../ui/form/search-select.tsx'
import { registryListQuery } from '../registry/registry.api.ts'

/** Options in one dropdown; typing more narrows the list. */
const OPTIONS = 25

/** Name, role, data scope, mobile number and SMS codes, for an invitation and for editing. */
export function AccountFields(props: {
  values: AccountForm
  problems: FieldProblems
  /** True for the administrator's own account, whose role only another administrator can change. */
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
        description={props.isOwn ? 'Only another administrator can change your role.' : undefined}
        value={values.role}
        error={problems.role}
        data={roles.map((role) => ({ value: role, label: roleLabels[role] }))}
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

/** The data scope of a user: all customers or chosen ones. */
function CustomerChoice(props: {
  customers: ChosenCustomer[] | null
  mayHaveAll: boolean
  error: string | undefined
  onChange: (customers: ChosenCustomer[] | null) => void
}) {
  const { customers, onChange } = props
  // Keeps the chosen customers while "All customers" is selected.
  const [chosen, setChosen] = useState(customers ?? [])
  const [search, setSearch] = useState<string | null>(null)
  const found = useQuery({
    ...registryListQuery('customers', { keyword: search ?? '', page: 1, pageSize: OPTIONS }),
    enabled: search !== null,
  })
  const options = (found.data?.values ?? [])
    .filter(({ key }) => customers?.some((one) => one.key === key) !== true)
    .map(({ key, name }) => ({ value: key, label: typeof name === 'string' ? name : key, hint: key }))

  function choose(next: ChosenCustomer[]) {
    setChosen(next)
    onChange(next)
  }

  return (
    <fieldset className={form.choice} data-wide>
      <legend>Customers</legend>
      <Stack gap={9}>
        <Radio
          name="scope"
          label="All customers"
          checked={customers === null}
          disabled={!props.mayHaveAll && customers !== null}
          onChange={() => onChange(null)}
        />
        <Radio name="scope" label="Chosen customers" checked={customers !== null} onChange={() => onChange(chosen)} />
        {customers !== null && (
          <div className={form.chosen}>
            {customers.length > 0 && (
              <ul aria-label="Chosen customers">
                {customers.map(({ key, name }) => (
                  <li key={key}>
                    <span>{name}</span>
                    <button
                      type="button"
                      aria-label={`Remove ${name}`}
                      onClick={() => choose(customers.filter((other) => other.key !== key))}
                    >
                      ×
                    </button>
                  </li>
                ))}
              </ul>
            )}
            <SearchSelect
              label="Add a customer"
              text=""
              placeholder="Search by name or key"
              options={options}
              isLoading={found.isFetching}
              failed={found.isError}
              error={props.error}
              onSearch={setSearch}
              onChoose={(key) => {
                const name = options.find(({ value }) => value === key)?.label ?? key
                choose([...customers, { key, name }])
              }}
            />
          </div>
        )}
        {customers === null && props.error !== undefined && <p className={form.error}>{props.error}</p>}
      </Stack>
    </fieldset>
  )
}
