import { Button, Group, Popover, Text } from '@mantine/core'
import { IconBuilding } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MOST_CUSTOMERS } from '../features/kpi/kpi-question.ts'
import { MultiSelectList } from '../ui/form/multi-select-list.tsx'
import { Chevron } from '../ui/text/chevron.tsx'
import { RetryLine } from '../ui/text/notice.tsx'
import styles from './kpi.module.css'
import { count, kpiCustomersQuery } from './table-rows.ts'

interface CustomerChoiceProps {
  /** Customer names. Empty: all customers. */
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** A button that opens a list of customers to filter the figures by. */
export function CustomerChoice({ chosen, onChange }: CustomerChoiceProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    // The button itself has the ARIA attributes.
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      width={340}
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <Button
          variant="default"
          flex={{ base: 1, sm: 'none' }}
          leftSection={<IconBuilding size={15} stroke={1.7} aria-hidden="true" />}
          rightSection={<Chevron to="down" />}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <bdi>{customersLabel(chosen)}</bdi>
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={styles.customers} role="dialog" aria-label="Customers" fz="sm">
        <Names
          chosen={chosen}
          onChange={(names) => {
            setOpen(false)
            onChange(names)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

function Names({ chosen, onChange }: CustomerChoiceProps) {
  const customers = useQuery(kpiCustomersQuery())
  const [ticked, setTicked] = useState<readonly string[]>(chosen)
  if (customers.isError)
    return <RetryLine onRetry={() => void customers.refetch()}>Customers could not be loaded.</RetryLine>
  if (customers.isPending) return <p role="status">Loading customers…</p>
  const isTooMany = ticked.length > MOST_CUSTOMERS
  // Customers from the address remain in the list, so that they can be unticked even if they are out of scope.
  const names = [...new Set([...chosen, ...customers.data])]
  return (
    <>
      <MultiSelectList
        label="customers"
        options={names.map((name) => ({ value: name, label: name }))}
        chosen={ticked}
        onChange={setTicked}
      />
      {isTooMany && (
        <Text role="alert" size="xs" mt={4} c="var(--bw-danger)">
          Select at most {MOST_CUSTOMERS} customers, or all.
        </Text>
      )}
      <Group justify="space-between" mt={12}>
        <Button variant="default" onClick={() => onChange([])}>
          All customers
        </Button>
        <Button disabled={isTooMany} onClick={() => onChange(ticked)}>
          Apply
        </Button>
      </Group>
    </>
  )
}

/** Returns 'All customers', 'Helix Biologics' or '3 customers'. */
export function customersLabel(chosen: readonly string[]): string {
  const [first] = chosen
  if (first === undefined) return 'All customers'
  return chosen.length === 1 ? first : `${count(chosen.length)} customers`
}
