import { IconColumns3 } from '@tabler/icons-react'
import { lazy } from 'react'
import { Dropdown } from '../../ui/dropdown.tsx'
import styles from './column-chooser.module.css'
import type { EventColumnKey } from './event-list.columns.ts'

// Most visits never open it.
const loadPanel = () => import('./column-panel.tsx')
const ColumnPanel = lazy(() => loadPanel().then((file) => ({ default: file.ColumnPanel })))

/**
 * Which columns the list shows, and in what order. `columns` and what `onChange` is given are as in EventSearch: null for
 * the usual ones. A change shows at once.
 */
export function ColumnChooser(props: {
  columns: readonly EventColumnKey[] | null
  onChange: (columns: readonly EventColumnKey[] | null) => void
}) {
  return (
    <Dropdown
      title="Columns"
      label={props.columns === null ? 'Columns' : 'Columns: your own choice'}
      icon={<IconColumns3 size={15} stroke={1.7} aria-hidden="true" />}
      className={props.columns === null ? undefined : styles.chosen}
      align="end"
      width={248}
      isSignOnPhone
      preload={loadPanel}
      panel={() => <ColumnPanel columns={props.columns} onChange={props.onChange} />}
    >
      Columns
    </Dropdown>
  )
}
