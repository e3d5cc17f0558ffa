import { IconBuilding } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { MOST_CUSTOMERS } from '../features/kpi/kpi-question.ts'
import { MultiSelectList } from '../ui/form/multi-select-list.tsx'
import { Chevron } from '../ui/text/chevron.tsx'
import { RetryLine } from '../ui/text/notice.tsx'
import styles from './choices.module.css'
import { count, kpiCustomersQuery } from './table-rows.ts'

interface CustomerChoiceProps {
  /** Customer names. Empty: all customers. */
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

const GAP = 6

/** A button that opens a list of customers to filter the figures by. */
export function CustomerChoice({ chosen, onChange }: CustomerChoiceProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)

  /** Positions the panel below the button. An element in the browser's top layer does not know its button. */
  function place() {
    if (button.current === null || panel.current === null) return
    const { bottom, left } = button.current.getBoundingClientRect()
    const most = document.documentElement.clientWidth - panel.current.offsetWidth - GAP
    panel.current.style.top = `${bottom + window.scrollY + GAP}px`
    panel.current.style.left = `${Math.max(GAP, Math.min(left, most))}px`
  }

  return (
    <>
      <button ref={button} type="button" className={styles.button} popoverTarget={id} aria-haspopup="dialog">
        <IconBuilding size={15} stroke={1.7} aria-hidden="true" />
        <bdi>{customersLabel(chosen)}</bdi>
        <Chevron to="down" />
      </button>
      <div
        ref={panel}
        id={id}
        className={styles.panel}
        popover="auto"
        role="dialog"
        aria-label="Customers"
        onToggle={({ newState }) => {
          setOpen(newState === 'open')
          if (newState === 'open') requestAnimationFrame(place)
        }}
      >
        {isOpen && (
          <Names
            chosen={chosen}
            onChange={(names) => {
              panel.current?.hidePopover()
              onChange(names)
            }}
          />
        )}
      </div>
    </>
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
        <p className={styles.problem} role="alert">
          Select at most {MOST_CUSTOMERS} customers, or all.
        </p>
      )}
      <div className={styles.foot}>
        <button type="button" className={styles.button} onClick={() => onChange([])}>
          All customers
        </button>
        <button type="button" className={styles.primary} disabled={isTooMany} onClick={() => onChange(ticked)}>
          Apply
        </button>
      </div>
    </>
  )
}

/** Returns 'All customers', 'Helix Biologics' or '3 customers'. */
export function customersLabel(chosen: readonly string[]): string {
  const [first] = chosen
  if (first === undefined) return 'All customers'
  return chosen.length === 1 ? first : `${count(chosen.length)} customers`
}
