import { IconColumns3 } from '@tabler/icons-react'
import { lazy } from 'react'
import { Dropdown } from '../../overlay/dropdown.tsx'
import styles from './column-chooser.module.css'
import type { ColumnModel } from './column-model.ts'

// Loaded lazily, because most visits never open it.
const loadPanel = () => import('./column-panel.tsx')
const ColumnPanel = lazy(() => loadPanel().then((file) => ({ default: file.ColumnPanel })))

/** Chooses the columns of a list and their order; null for the defaults. Changes show at once. */
export function ColumnChooser<Key extends string>(props: {
  model: ColumnModel<Key, string>
  columns: readonly Key[] | null
  onChange: (columns: readonly Key[] | null) => void
}) {
  return (
    <Dropdown
      title="Columns"
      label={props.columns === null ? 'Columns' : 'Columns: customised'}
      icon={<IconColumns3 size={15} stroke={1.7} aria-hidden="true" />}
      className={props.columns === null ? undefined : styles.chosen}
      align="end"
      width={248}
      isIconOnPhone
      preload={loadPanel}
      // A lazy component cannot be generic in its keys; the panel only returns keys of the model.
      panel={() => <ColumnPanel {...props} onChange={(columns) => props.onChange(columns as readonly Key[] | null)} />}
    >
      Columns
    </Dropdown>
  )
}
