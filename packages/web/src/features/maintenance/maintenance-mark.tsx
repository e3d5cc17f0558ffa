import type { Maintenance } from '@benchwatch/contract/instruments/maintenance'
import { IconCalendarTime, IconTool } from '@tabler/icons-react'
import { currentMaintenance, maintenanceSpan, maintenanceState, maintenanceStateLabels } from './current-maintenance.ts'
import styles from './orc-status-menu.module.css'

/** Marks an instrument that is in maintenance or scheduled for it. `now`: epoch milliseconds. */
export function MaintenanceMark({ maintenances, now }: { maintenances: readonly Maintenance[]; now: number }) {
  const current = currentMaintenance(maintenances, now)
  if (current === null) return null
  const state = maintenanceState(current, now)
  const Icon = state === 'on' ? IconTool : IconCalendarTime
  const label = maintenanceStateLabels[state]
  const more = [maintenanceSpan(current, now), current.rrule !== null && 'Recurring', current.reason]
  return (
    <span
      className={styles.mark}
      data-state={state}
      role="img"
      aria-label={label}
      title={[label, ...more].filter(Boolean).join('\n')}
    >
      <Icon size={15} stroke={1.7} aria-hidden="true" />
    </span>
  )
}
