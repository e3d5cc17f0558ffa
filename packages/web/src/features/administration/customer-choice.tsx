import { Radio, Stack } from '@mantine/core'
import '@mantine/core/styles/Radio.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SearchSelect } from '../../ui/search-select.tsx'
import { registryListQuery } from '../registry/registry.api.ts'
import styles from './customer-choice.module.css'

/** Options in one dropdown; who does not find theirs types more of it. */
const OPTIONS = 25

/** The data scope of a user: all customers, or chosen ones by key. */
export function CustomerChoice(props: {
  customers: string[] | null
  mayHaveAll: boolean
  error: string | undefined
  onChange: (customers: string[] | null) => void
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
    .filter(({ key }) => customers?.includes(key) !== true)
    .map(({ key, name }) => ({ value: key, label: typeof name === 'string' ? name : key, hint: key }))

  function choose(next: string[]) {
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
                {customers.map((key) => (
                  <li key={key}>
                    <span>{key}</span>
                    <button
                      type="button"
                      aria-label={`Remove ${key}`}
                      onClick={() => choose(customers.filter((other) => other !== key))}
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
              onChoose={(key) => choose([...customers, key])}
            />
          </div>
        )}
        {customers === null && props.error !== undefined && <p className={styles.error}>{props.error}</p>}
      </Stack>
    </fieldset>
  )
}
