import { Menu } from '@mantine/core'
import { IconTool } from '@tabler/icons-react'
import { useEffect, useId } from 'react'
import { PopoverAnchor } from '../../ui/overlay/popover-anchor.tsx'
import { useEarlyEscape } from '../../ui/overlay/use-early-escape.ts'
import { useNow } from '../../ui/time/use-now.ts'
import { orcStatusLabel } from '../connections/orc-status-badge.tsx'
import {
  currentMaintenance,
  type MaintainedInstrument,
  maintenanceSpan,
  maintenanceState,
  maintenanceStateLabels,
} from './current-maintenance.ts'
import styles from './orc-status-menu.module.css'

/**
 * The menu of an ORC status: its meaning, the current maintenance, and the action to change it. Escape or a click
 * outside closes it.
 */
export function MaintenanceMenu(props: {
  anchor: HTMLElement
  instrument: MaintainedInstrument
  /** Loads the dialog ahead of the click. */
  preload: () => unknown
  onMaintenance: () => void
  onClose: () => void
}) {
  const { anchor, instrument, preload, onMaintenance, onClose } = props
  const now = useNow()
  const stateId = useId()
  const current = currentMaintenance(instrument.maintenances, now)
  useEffect(() => void preload(), [preload])
  useEarlyEscape(onClose)

  return (
    <Menu
      opened
      onChange={(isOpen) => !isOpen && onClose()}
      position="bottom-start"
      // Rendered beside its button, inside the landmarks of the page; a scrolling table does not clip it.
      withinPortal={false}
      floatingStrategy="fixed"
      withInitialFocusPlaceholder={false}
      returnFocus={false}
      closeOnItemClick={false}
    >
      <Menu.Target>
        <PopoverAnchor element={anchor} />
      </Menu.Target>
      <Menu.Dropdown className={styles.menu} aria-label="ORC status">
        <div id={stateId} className={styles.state}>
          <strong>{instrument.orcStatus}</strong>
          <div>{orcStatusLabel({ status: instrument.orcStatus, unknownAt: instrument.unknownAt })}</div>
        </div>
        <Menu.Divider />
        <div className={styles.state}>
          {current === null ? (
            'Not in maintenance'
          ) : (
            <>
              <strong>{maintenanceStateLabels[maintenanceState(current, now)]}</strong>
              <div>{maintenanceSpan(current, now)}</div>
              {current.reason !== null && <div dir="auto">{current.reason}</div>}
            </>
          )}
        </div>
        <Menu.Item
          leftSection={<IconTool size={15} stroke={1.7} aria-hidden="true" />}
          aria-describedby={stateId}
          onClick={onMaintenance}
        >
          Maintenance…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
