import { Box, Menu, Text } from '@mantine/core'
import { IconTool } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId } from 'react'
import { PopoverAnchor, useEarlyEscape } from '../../ui/overlay/popover-anchor.tsx'
import { useNow } from '../../ui/time/use-now.ts'
import { orcStatusLabel } from '../connections/orc-status-badge.tsx'
import {
  currentMaintenance,
  type MaintainedInstrument,
  maintenanceSpan,
  maintenanceState,
  maintenanceStateLabels,
} from './current-maintenance.ts'

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
      <Menu.Dropdown maw="min(320px, calc(100vw - 24px))" aria-label="ORC status">
        <State id={stateId} title={instrument.orcStatus}>
          {orcStatusLabel({ status: instrument.orcStatus, unknownAt: instrument.unknownAt })}
        </State>
        <Menu.Divider />
        {current === null ? (
          <State>Not in maintenance</State>
        ) : (
          <State title={maintenanceStateLabels[maintenanceState(current, now)]}>
            {maintenanceSpan(current, now)}
            {current.reason !== null && <div dir="auto">{current.reason}</div>}
          </State>
        )}
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

function State({ id, title, children }: { id?: string; title?: string; children: ReactNode }) {
  return (
    <Box id={id} p="6px 12px 8px" fz="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {title !== undefined && (
        <Text fw={600} c="var(--bw-ink-1)">
          {title}
        </Text>
      )}
      {children}
    </Box>
  )
}
