import { Button, Popover } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import styles from './column-chooser.module.css'
import type { EventColumnKey } from './event-list.columns.ts'

// Most visits never open it.
const ColumnPanel = lazy(() => import('./column-panel.tsx').then((file) => ({ default: file.ColumnPanel })))

/**
 * Which columns the list shows, and in what order. `columns` and what `onChange` is given are as in EventSearch: null for
 * the usual ones. A change shows at once.
 */
export function ColumnChooser(props: {
  columns: readonly EventColumnKey[] | null
  onChange: (columns: readonly EventColumnKey[] | null) => void
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button
          variant="default"
          className={styles.button}
          leftSection={<IconColumns3 size={15} stroke={1.7} aria-hidden="true" />}
          aria-label={props.columns === null ? 'Columns' : 'Columns: your own choice'}
          data-chosen={props.columns !== null || undefined}
          onClick={() => setOpen(!isOpen)}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns" className={styles.dropdown}>
        {isOpen && (
          <Suspense fallback={<div className={styles.loading} role="status" aria-label="Loading columns" />}>
            <ColumnPanel columns={props.columns} onChange={props.onChange} />
          </Suspense>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
