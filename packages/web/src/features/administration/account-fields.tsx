import { roles } from '@benchwatch/contract/vocabulary'
import { Checkbox, Group, NativeSelect, Radio, Stack, TextInput } from '@mantine/core'
import '@mantine/core/styles/Radio.layer.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { RecordForm } from '../../ui/form/record-form.tsx'
import { RemovablePill } from '../../ui/form/removable-pill.tsx'
import { SearchSelect } from '../../ui/form/search-select.tsx'
import { useFoundObjects } from '../registry/registry.api.ts'
import { meQuery } from '../users/users.api.ts'
import { type AccountForm, type ChosenCustomer, accountFieldLabels as labels, roleLabels } from './account-form.ts'

/**
 * Name, role, data scope, mobile number and SMS codes, for an invitation and for editing. `isOwn` is true for the
 * administrator's own account, whose role only another administrator can change.
 */
export function AccountFields({ form, isOwn }: { form: RecordForm<AccountForm>; isOwn: boolean }) {
  // Nobody grants more than their own customers.
  const isLimited = Array.isArray(useQuery(meQuery()).data?.customers)
  return (
    <>
      <TextInput label={labels.name} required autoComplete="off" maxLength={120} {...form.getInputProps('name')} />
      <NativeSelect
        label={labels.role}
        disabled={isOwn}
        description={isOwn ? 'Only another administrator can change your role.' : undefined}
        data={roles.map((role) => ({ value: role, label: roleLabels[role] }))}
        {...form.getInputProps('role')}
      />
      <CustomerChoice
        mayHaveAll={form.values.role !== 'customer' && !isLimited}
        customers={form.values.customers}
        error={form.errors.customers}
        onChange={(customers) => form.change({ customers })}
      />
      <TextInput
        label={labels.msisdn}
        type="tel"
        autoComplete="off"
        placeholder="+46 70 555 01 01"
        maxLength={30}
        {...form.getInputProps('msisdn')}
      />
      <Checkbox
        pt={{ base: 0, sm: 31 }}
        label="Ask for an SMS code at sign-in"
        {...form.getInputProps('smsMfa', { type: 'checkbox' })}
      />
    </>
  )
}

/** The data scope of a user: all customers or chosen ones. */
function CustomerChoice(props: {
  customers: ChosenCustomer[] | null
  mayHaveAll: boolean
  error: ReactNode
  onChange: (customers: ChosenCustomer[] | null) => void
}) {
  const { customers, onChange } = props
  // Keeps the chosen customers while "All customers" is selected.
  const [chosen, setChosen] = useState(customers ?? [])
  const { objects, control } = useFoundObjects('customers')
  const options = objects
    .filter(({ key }) => customers?.some((one) => one.key === key) !== true)
    .map(({ key, name }) => ({ value: key, label: typeof name === 'string' ? name : key, hint: key }))

  function choose(next: ChosenCustomer[]) {
    setChosen(next)
    onChange(next)
  }

  return (
    <Radio.Group
      label="Customers"
      wrapperProps={{ 'data-wide': true }}
      value={customers === null ? 'all' : 'chosen'}
      error={customers === null && props.error}
      onChange={(scope) => onChange(scope === 'all' ? null : chosen)}
    >
      <Stack gap={9} mb={customers === null && props.error ? 6 : 0}>
        <Radio value="all" label="All customers" disabled={!props.mayHaveAll && customers !== null} />
        <Radio value="chosen" label="Chosen customers" />
        {customers !== null && (
          <Stack gap={9} pl={30}>
            {customers.length > 0 && (
              <Group component="ul" aria-label="Chosen customers" gap={6} m={0} p={0} style={{ listStyle: 'none' }}>
                {customers.map(({ key, name }) => (
                  <li key={key}>
                    <RemovablePill
                      label={name}
                      removeLabel={`Remove ${name}`}
                      onRemove={() => choose(customers.filter((other) => other.key !== key))}
                    />
                  </li>
                ))}
              </Group>
            )}
            <SearchSelect
              label="Add a customer"
              text=""
              placeholder="Search by name or key"
              {...control}
              options={options}
              error={props.error}
              onChoose={(key) => {
                const name = options.find(({ value }) => value === key)?.label ?? key
                choose([...customers, { key, name }])
              }}
            />
          </Stack>
        )}
      </Stack>
    </Radio.Group>
  )
}
