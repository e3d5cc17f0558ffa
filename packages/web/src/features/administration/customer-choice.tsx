import { Radio, Stack } from '@mantine/core'
import '@mantine/core/styles/Radio.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SearchSelect } from '../../ui/search-select.tsx'
import { registryListQuery } from '../registry/registry.api.ts'
import type { ChosenCustomer } from './account-form.ts'
import styles from './customer-choice.module.css'

/** Options in one dropdown; who does not find theirs types more of it. */
const OPTIONS = 25

/** The data scope of a user: all customers, or chosen ones. */
export function CustomerChoice(props: {
  customers: ChosenCustomer[] | null
  mayHaveAll: boolean
  error: string | undefined
  onChange: (customers: ChosenCustomer[] | null) => void
}) {
  const { customers, onChange } = props
  // Going to "all" and back keeps what was chosen.
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
    <fieldset className={styles.choice} data-wide>
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
          <div className={styles.chosen}>
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
        {customers === null && props.error !== undefined && <p className={styles.error}>{props.error}</p>}
      </Stack>
    </fieldset>
  )
}
