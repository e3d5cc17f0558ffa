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
  /** By name; none: all of them. */
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

const GAP = 6

/** Whose events, instruments and gateways figures are of: a button that opens their names. */
export function CustomerChoice({ chosen, onChange }: CustomerChoiceProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)

  /** Below the button and within the page: what is in the browser's top layer knows nothing of its button. */
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
  // What an address names stays to be unticked, also where it is out of the scope by now.
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
          Choose {MOST_CUSTOMERS} customers at most, or all.
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

/** All customers · Helix Biologics · 3 customers */
export function customersLabel(chosen: readonly string[]): string {
  const [first] = chosen
  if (first === undefined) return 'All customers'
  return chosen.length === 1 ? first : `${count(chosen.length)} customers`
}
